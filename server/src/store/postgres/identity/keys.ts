import type { Pool } from 'pg'
import type { Principal } from '#domain/access/principal.ts'
import { Batcher } from '#lib/batcher.ts'
import type { Keys } from '#ports/keys.ts'
import { findPrincipals, findSessionPrincipals } from './principals.sql.ts'

/**
 * API keys and institution sessions in Postgres. Concurrent lookups share one statement, so a cold cache costs few
 * round trips.
 */
export function createKeys(pool: Pool): Keys {
  const batcher = new Batcher<string, Principal | null>({
    async send(secretHashes) {
      const found = await findPrincipals(pool, secretHashes)
      const others = secretHashes.filter((hash) => !found.has(hash))
      const sessions = others.length === 0 ? null : await findSessionPrincipals(pool, others)
      return secretHashes.map((hash) => found.get(hash) ?? sessions?.get(hash) ?? null)
    },
    batchMax: 500,
    inFlightMax: 2,
    queueMax: 10_000,
    refusal: () => new Error('too many key lookups are queued'),
  })
  return { findPrincipal: (secretHash) => batcher.add(secretHash) }
}
