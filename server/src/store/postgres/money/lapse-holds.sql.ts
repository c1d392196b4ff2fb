import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import { arrayLiteral } from '../array-literal.ts'

const text = `UPDATE holds SET lease_until = clock_timestamp()
  FROM unnest($1::uuid[]) AS lapsed (id) WHERE holds.id = lapsed.id`

/** Lets the next sweep return holds that nobody is going to use. */
export async function lapseHolds(pool: Pool, ids: readonly Uuid[]): Promise<void> {
  await pool.query({ name: 'lapse-holds', text, values: [arrayLiteral(ids)] })
}
