import { Pool } from 'pg'

/** Opens a pool for work on one database. Its connections do not survive a restart of the database. */
export async function withPool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = new Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
