import type { Pool, PoolClient } from 'pg'
import { withClient } from '../with-client.ts'
import { functionsCalledBy } from './order-functions.ts'
import { replaceFunction } from './replace-function.sql.ts'
import { readSchemaSource, type SchemaSource, type SqlFile, type SqlFunction } from './schema-source.ts'

// Any fixed number works, as long as all processes that migrate one database use the same.
const migrationLock = 7_351_002_118

/** The names of the migrations and functions that a run changed. */
export interface Migrated {
  readonly migrations: string[]
  readonly functions: string[]
  /** Whether the very first migration ran now. */
  readonly wasEmpty: boolean
}

/**
 * Migrates the database to the newest numbered migration and to the current definition of every function. It is one
 * transaction, so tables and functions change together. Processes that start at the same time wait for each other.
 *
 * A database with migrations that this program does not know belongs to a newer version. Its functions stay unchanged:
 * an older version that starts while a newer one is being deployed must not revert them.
 */
export async function migrate(pool: Pool, folder: string): Promise<Migrated> {
  const source = await readSchemaSource(folder)
  return withClient(pool, async (client, close) => {
    // Closing the connection releases the lock and rolls back in any case.
    close()
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await client.query('BEGIN')
    const migrated = await bringForward(client, source)
    await client.query('COMMIT')
    return migrated
  })
}

async function bringForward(client: PoolClient, source: SchemaSource): Promise<Migrated> {
  await createRecords(client)
  const applied = await appliedMigrations(client)
  const missing = source.migrations.filter(({ name }) => !applied.has(name))
  assertOrder(missing, applied)
  const isNewer = [...applied].some((name) => !source.migrations.some((known) => known.name === name))
  const stale = new Set(isNewer ? [] : await staleFunctions(client, source.functions))
  const replaced: string[] = []
  const replace = async (functions: Iterable<SqlFunction>): Promise<void> => {
    for (const file of functions) {
      if (!stale.delete(file)) continue
      await run(file.name, () => replaceFunction(client, file))
      await client.query('INSERT INTO schema_functions (name, hash) VALUES ($1, $2)', [file.name, file.hash])
      replaced.push(file.name)
    }
  }
  for (const migration of missing) {
    // Defaults and triggers refer to functions, which must exist first. The other functions may need the tables that
    // the migration creates.
    await replace(functionsCalledBy(migration.text, source.functions))
    await run(migration.name, () => client.query(migration.text))
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [migration.name])
  }
  await replace(source.functions)
  return {
    migrations: missing.map(({ name }) => name),
    functions: replaced,
    wasEmpty: applied.size === 0 && missing.length > 0,
  }
}

/** `schema_functions` is a log: the last row of a function says which definition is in force. */
async function createRecords(client: PoolClient): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE IF NOT EXISTS schema_functions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, hash text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`)
}

async function appliedMigrations(client: PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations')
  return new Set(rows.map(({ name }) => name))
}

/**
 * Functions whose definition is not in force. A function that was dropped or has a second signature counts as stale.
 */
async function staleFunctions(client: PoolClient, functions: readonly SqlFunction[]): Promise<SqlFunction[]> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    `SELECT DISTINCT ON (f.name) f.name, f.hash FROM schema_functions f WHERE to_regproc(f.name) IS NOT NULL
     ORDER BY f.name, f.id DESC`,
  )
  const inForce = new Map(rows.map(({ name, hash }) => [name, hash]))
  return functions.filter(({ name, hash }) => inForce.get(name) !== hash)
}

/** A migration inserted below one that already ran would make databases differ by the order in which they ran. */
function assertOrder(missing: readonly SqlFile[], applied: ReadonlySet<string>): void {
  const newest = [...applied].sort().at(-1) ?? ''
  const late = missing.find(({ name }) => name < newest)
  if (late !== undefined)
    throw new Error(`migration ${late.name} sorts before ${newest}, which is already applied to this database`)
}

async function run(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
