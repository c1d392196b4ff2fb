import { Pool } from 'pg'
import { createPrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import { plantInPostgres } from '../faults/plant-in-postgres.ts'
import { emptyTables } from './saved-tables.ts'
import { createVirtualTime, virtualSession } from './virtual-time.ts'

interface SimulatedPostgres {
  /** One connection, in virtual time. */
  readonly pool: Pool
  empty(): Promise<void>
  close(): Promise<void>
}

// The simulation itself decides what a crash loses, so nothing need be synced.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

/** A migrated private Postgres with virtual time. `WEIR_TEST_POSTGRES_URL` names a running one to use instead. */
export async function openSimulatedPostgres(plant: string | null): Promise<SimulatedPostgres> {
  const isGiven = process.env['WEIR_TEST_POSTGRES_URL'] !== undefined
  const engine = isGiven ? null : await createPrivatePostgres({ parentFolder: await findEngineFolder(), settings })
  if (engine !== null) process.env['WEIR_TEST_POSTGRES_URL'] = engine.url
  const database = await createTestDatabase()
  await createVirtualTime(database.pool)
  if (plant !== null) await plantInPostgres(database.pool, plant)
  const pool = new Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 0, options: virtualSession })
  return {
    pool,
    empty: () => emptyTables(pool),
    close: async () => {
      await pool.end()
      await database.drop()
      await engine?.remove()
    },
  }
}
