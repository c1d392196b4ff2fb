import { errorText } from '#lib/error-text.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { StartError } from '../start-error.ts'

/** Creates the database of the URL if it does not exist. */
export async function createDatabase(databaseUrl: string): Promise<void> {
  const admin = new URL(databaseUrl)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  const pool = createPool({ connectionString: admin.href, max: 1, onError: () => {} })
  try {
    const { rowCount } = await pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await pool.query(`CREATE DATABASE "${name.replaceAll('"', '')}"`)
  } catch (cause) {
    throw new StartError(
      `Postgres is unavailable at ${admin.host}: ${errorText(cause)}\nStart it, or set WEIR_POSTGRES_URL to another server.`,
      { cause },
    )
  } finally {
    await pool.end()
  }
}
