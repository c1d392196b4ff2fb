import type { Pool } from 'pg'
import { rebasePositions } from '../usage/postgres-rollup.ts'
import { migrate, type Migrated } from './migrate.ts'

export interface Prepared extends Migrated {
  /** Whether the database was restored into another cluster since the last run. */
  readonly isMoved: boolean
}

/** Prepares a database for processes to start on it. Safe at any time and concurrently. */
export async function prepareDatabase(pool: Pool, folder: string): Promise<Prepared> {
  const migrated = await migrate(pool, folder)
  // A migration may have created partitioned tables. From then on the worker creates partitions in advance.
  if (migrated.migrations.length > 0) await makeFirstPartitions(pool)
  return { ...migrated, isMoved: await rebasePositions(pool) }
}

/** From yesterday, because clocks differ, to a week ahead. */
async function makeFirstPartitions(pool: Pool): Promise<void> {
  await pool.query(`SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, 9)`)
}
