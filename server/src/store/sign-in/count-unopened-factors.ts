import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { OpenedPlace } from '#store/postgres/secrets/count-unopened.ts'
import { listSecondFactors } from '#store/postgres/people/second-factors.sql.ts'
import { openSecondFactor } from './open-second-factor.ts'

const pageSize = 200

/**
 * Tries to decrypt every second factor with each of these keys. The sign-in library encrypts them with its own secret.
 */
export async function countUnopenedFactors(pool: Pool, keys: readonly string[]): Promise<OpenedPlace> {
  const count = { sealed: 0, unopened: 0 }
  let after: Uuid | null = null
  for (;;) {
    const rows = await listSecondFactors(pool, { after, limit: pageSize })
    const last = rows.at(-1)
    if (last === undefined) return { place: 'auth_two_factors', ...count }
    const opened = await Promise.all(rows.map((row) => Promise.all(keys.map((key) => openSecondFactor(row, key)))))
    count.sealed += rows.length
    count.unopened += opened.filter((tries) => tries.every((factor) => factor === null)).length
    after = last.id
  }
}
