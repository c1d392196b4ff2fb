import type { Pool } from 'pg'
import { rebasePositions } from '../usage/postgres-rollup.ts'
import { migrate, type Migrated } from './migrate.ts'

export interface Prepared extends Migrated {
  /** It was restored into another cluster since the last time. */
  readonly isMoved: boolean
}

/** Everything that a database needs before processes start on it. Safe at any time and several times at once. */
export async function prepareDatabase(pool: Pool, folder: string): Promise<Prepared> {
  const migrated = await migrate(pool, folder)
  // A migration may have made partitioned tables. From then on the worker makes partitions ahead of time.
  if (migrated.migrations.length > 0) await makeFirstPartitions(pool)
  return { ...migrated, isMoved: await rebasePositions(pool) }
}

/** From yesterday, because clocks differ, to a week ahead. */
async function makeFirstPartitions(pool: Pool): Promise<void> {
  await pool.query(`SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, 9)`)
}
