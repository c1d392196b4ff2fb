import type { Pool } from 'pg'
import { createPool } from './create-pool.ts'

/** One connection without a time limit, for what may take longer than anybody should wait for a page. */
export function createPatientPool(options: { url: string; name: string; onError: (error: Error) => void }): Pool {
  return createPool({
    connectionString: options.url,
    max: 1,
    connectionTimeoutMillis: 10_000,
    application_name: options.name,
    onError: options.onError,
  })
}
