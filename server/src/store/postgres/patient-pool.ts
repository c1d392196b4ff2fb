import { Pool } from 'pg'

/** One connection without a time limit, for what may take longer than anybody should wait for a page. */
export function createPatientPool(options: { url: string; name: string; onError: (error: Error) => void }): Pool {
  const pool = new Pool({
    connectionString: options.url,
    max: 1,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: options.name,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', options.onError)
  return pool
}
