import { Pool } from 'pg'

export interface PostgresPools {
  /** Everything that is not a lane. */
  general: Pool
  holds: Pool
  settles: Pool
  close(): Promise<void>
}

/** Each lane has connections of its own, so that a slow read can never stand in front of money. */
export function createPools(options: { url: string; poolMax: number; onError: (error: Error) => void }): PostgresPools {
  const base = { connectionString: options.url, connectionTimeoutMillis: 2_000, keepAlive: true, allowExitOnIdle: true }
  const general = new Pool({ ...base, max: options.poolMax, query_timeout: 10_000, application_name: 'weir' })
  const holds = new Pool({
    ...base,
    max: 3,
    query_timeout: 5_000,
    application_name: 'weir holds',
    options: '-c synchronous_commit=off',
  })
  const settles = new Pool({ ...base, max: 2, query_timeout: 5_000, application_name: 'weir settles' })
  const pools = [general, holds, settles]
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  for (const pool of pools) pool.on('error', options.onError)
  return {
    general,
    holds,
    settles,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}
