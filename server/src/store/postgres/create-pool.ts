import { Pool, type PoolConfig } from 'pg'

export interface PoolOptions extends PoolConfig {
  /** A connection that broke while it waited in the pool, which replaces it. */
  onError: (error: Error) => void
}

/**
 * The one way to make a pool. Any connection may vanish at any moment: Postgres restarts, a backend is terminated, a network fails. `pg`
 * tells of it by an event, and an event `error` without a listener ends the process. So every client gets a listener before anything
 * else can hold it. While a client is in use there is nothing more to do: its next statement fails and says why.
 */
export function createPool({ onError, ...config }: PoolOptions): Pool {
  const pool = new Pool({ keepAlive: true, ...config })
  pool.on('error', onError)
  // Not after `connect()` has resolved: the last words of a backend may arrive in the same piece as its first.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}
