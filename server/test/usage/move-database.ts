import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { createPrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import type { TestDatabase } from '#test/setup/database.ts'

const run = promisify(execFile)
const binaries = process.env['WEIR_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

/** Dumps a database and restores it into a new cluster, like an operator. */
export async function moveDatabase(from: TestDatabase): Promise<TestDatabase> {
  const postgres = await createPrivatePostgres()
  const folder = await mkdtemp(join(tmpdir(), 'weir-dump-'))
  const dump = join(folder, 'weir.sql')
  await run(join(binaries, 'pg_dump'), ['--no-owner', '-f', dump, from.url])
  await run(join(binaries, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, postgres.url])
  await rm(folder, { recursive: true })
  const pool = new Pool({ connectionString: postgres.url, max: 8 })
  return {
    url: postgres.url,
    pool,
    drop: async () => {
      await pool.end()
      await postgres.remove()
    },
  }
}

/** Advances the transaction counter of the server by this many. */
export async function countTransactions(database: TestDatabase, count: number): Promise<void> {
  await database.pool.query(
    `DO $$ BEGIN FOR n IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  )
}
