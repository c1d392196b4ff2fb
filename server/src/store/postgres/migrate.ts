import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { withClient } from './with-client.ts'

// Any fixed number will do, as long as all processes that migrate one database take the same.
const migrationLock = 7_351_002_118

/**
 * Brings the database forward to the newest numbered migration and answers the names of those it ran. Each is one
 * transaction together with its row in `schema_migrations`; processes that start at the same time wait for each other.
 */
export async function migrate(pool: Pool, folder: string): Promise<string[]> {
  const expected = await expectedMigrations(folder)
  return withClient(pool, async (client, close) => {
    // Closing the connection gives the lock back whatever happened on it.
    close()
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    const applied = await appliedMigrations(client)
    const missing = expected.filter((name) => !applied.has(name))
    judgeOrder(missing, applied)
    for (const name of missing) await runMigration(client, name, await readFile(join(folder, name), 'utf8'))
    return missing
  })
}

/** The names of all migrations in the folder, in the order they run. */
export async function expectedMigrations(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
}

async function appliedMigrations(client: PoolClient): Promise<Set<string>> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations')
  return new Set(rows.map(({ name }) => name))
}

/** A migration slipped in below one that already ran would leave databases that differ by the order they met them. */
function judgeOrder(missing: readonly string[], applied: ReadonlySet<string>): void {
  const newest = [...applied].sort().at(-1) ?? ''
  const late = missing.find((name) => name < newest)
  if (late !== undefined) throw new Error(`migration ${late} comes before ${newest}, which this database already has`)
}

async function runMigration(client: PoolClient, name: string, statements: string): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(statements)
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])
    await client.query('COMMIT')
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
