import type { Pool } from 'pg'

// A database that was dropped and made again is another one.
const text = `SELECT datname || '-' || oid AS name FROM pg_database WHERE datname = current_database()`

/** A name that all processes on one database have in common and those on another do not. */
export async function readDatabaseName(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the database has no name')
  return row.name
}
