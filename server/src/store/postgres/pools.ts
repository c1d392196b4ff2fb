import type { Pool } from 'pg'
import { createPool } from './create-pool.ts'

export interface PostgresPools {
  /** For everything without a batcher. */
  general: Pool
  holds: Pool
  settles: Pool
  /** For usage pages. */
  sums: Pool
  close(): Promise<void>
}

/**
 * Usage pages aggregate tens of thousands of rows into a few. Postgres underestimates the number of rows and would sort
 * them on disk, which takes three times as long. JIT-compiling such a statement takes longer than running it.
 */
export const sumsSettings = '-c enable_sort=off -c work_mem=32MB -c jit=off'

/**
 * Postgres overestimates the cost of a statement that reads every partition or a table without statistics, and
 * JIT-compiles it first. For the worker's figures that took 1.7 s for 2 ms of work.
 */
const plainSettings = '-c jit=off'

export interface PoolOptions {
  url: string
  poolMax: number
  /**
   * The application name of the general pool's connections: `weir status` distinguishes gateways from workers by it.
   */
  name?: 'weir' | 'weir worker'
  connectTimeoutMs?: number
  onError: (error: Error) => void
}

const connectionsMax = { holds: 3, settles: 2, sums: 4 }

/** Maximum connections of a gateway. */
export function gatewayConnections({ poolMax }: Pick<PoolOptions, 'poolMax'>): number {
  return poolMax + connectionsMax.holds + connectionsMax.settles + connectionsMax.sums
}

export const workerPoolMax = 4

/** Maximum connections of a worker: one for the rollup, one for the reconciliation, one that
 * builds indexes, and one per event sink. */
export function workerConnections({ sinks }: { sinks: number }): number {
  return workerPoolMax + 3 + sinks
}

/** Each batcher has its own connections, so that a slow read can never block money. */
export function createPools(options: PoolOptions): PostgresPools {
  const { url: connectionString, connectTimeoutMs = 2_000, name = 'weir', onError } = options
  const base = { connectionString, connectionTimeoutMillis: connectTimeoutMs, allowExitOnIdle: true, onError }
  const general = createPool({
    ...base,
    max: options.poolMax,
    query_timeout: 10_000,
    application_name: name,
    options: plainSettings,
  })
  // Their statements are planned per connection, which costs more than running them, so these connections are kept.
  const kept = { ...base, idleTimeoutMillis: 0 }
  const holds = createPool({
    ...kept,
    max: connectionsMax.holds,
    query_timeout: 5_000,
    application_name: 'weir holds',
    options: '-c synchronous_commit=off',
  })
  const settles = createPool({
    ...kept,
    max: connectionsMax.settles,
    query_timeout: 5_000,
    application_name: 'weir settles',
    // A timeout would cancel the wait for the standby, and Postgres acknowledges a transaction whose wait is cancelled.
    options: '-c statement_timeout=0',
  })
  const sums = createPool({
    ...base,
    max: connectionsMax.sums,
    query_timeout: 10_000,
    application_name: 'weir sums',
    options: sumsSettings,
  })
  const pools = [general, holds, settles, sums]
  return {
    general,
    holds,
    settles,
    sums,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/** For usage pages that a replica serves, and one connection to ask the replica for its position. */
export function createReplicaPools(options: {
  url: string
  connectTimeoutMs: number
  onError: (error: Error) => void
}): { sums: Pool; probe: Pool; close(): Promise<void> } {
  const { url: connectionString, connectTimeoutMs, onError } = options
  const base = { connectionString, connectionTimeoutMillis: connectTimeoutMs, allowExitOnIdle: true, onError }
  // Half of the primary's timeout, because the primary is asked if the replica does not answer.
  const sums = createPool({
    ...base,
    max: connectionsMax.sums,
    query_timeout: 5_000,
    application_name: 'weir sums',
    options: sumsSettings,
  })
  const probe = createPool({ ...base, max: 1, query_timeout: connectTimeoutMs, application_name: 'weir replica lag' })
  return {
    sums,
    probe,
    close: async () => {
      await Promise.all([sums.end(), probe.end()])
    },
  }
}

/** For one operator command. A person would rather wait for a busy Postgres than run a migration twice. */
export function createCommandPool(url: string): Pool {
  return createPool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 30_000,
    query_timeout: 600_000,
    allowExitOnIdle: true,
    application_name: 'weir command',
    options: plainSettings,
    onError: () => {},
  })
}

/** One connection without a time limit, for work that may take longer than a person waits for a page. */
export function createPatientPool(options: { url: string; name: string; onError: (error: Error) => void }): Pool {
  return createPool({
    connectionString: options.url,
    max: 1,
    connectionTimeoutMillis: 10_000,
    application_name: options.name,
    onError: options.onError,
  })
}
