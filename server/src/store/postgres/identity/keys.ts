import type { Pool } from 'pg'
import type { Principal } from '#domain/access/principal.ts'
import { Batcher } from '#lib/batcher.ts'
import type { Keys } from '#ports/keys.ts'
import { findPrincipals, findSessionPrincipals, findTokenPrincipals } from './principals.sql.ts'

/**
 * API keys, institution sessions and customers' tokens in Postgres. Concurrent lookups share one statement, so a cold
 * cache costs few round trips.
 */
export function createKeys(pool: Pool): Keys {
  const batcher = new Batcher<string, Principal | null>({
    async send(secretHashes) {
      const found = await findPrincipals(pool, secretHashes)
      const others = secretHashes.filter((hash) => !found.has(hash))
      const derived = others.length === 0 ? null : await findDerived(pool, others)
      return secretHashes.map((hash) => found.get(hash) ?? derived?.get(hash) ?? null)
    },
    batchMax: 500,
    inFlightMax: 2,
    queueMax: 10_000,
    refusal: () => new Error('too many key lookups are queued'),
  })
  return { findPrincipal: (secretHash) => batcher.add(secretHash) }
}

/** The principals of secrets that act as a key. Only what is no institution session is looked up as a token. */
async function findDerived(pool: Pool, secretHashes: readonly string[]): Promise<Map<string, Principal>> {
  const sessions = await findSessionPrincipals(pool, secretHashes)
  const others = secretHashes.filter((hash) => !sessions.has(hash))
  return others.length === 0 ? sessions : new Map([...sessions, ...(await findTokenPrincipals(pool, others))])
}
