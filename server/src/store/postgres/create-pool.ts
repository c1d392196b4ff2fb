import { Pool, type PoolConfig } from 'pg'
import { postgresServers } from '#lib/postgres-servers.ts'
import { followPrimary } from './follow-primary.ts'

interface PoolOptions extends PoolConfig {
  /** One server, or several; then the pool uses the one that accepts writes. */
  connectionString: string
  /** Reports a connection that broke while idle in the pool. The pool replaces it. */
  onError: (error: Error) => void
}

const usualConnectTimeoutMs = 5_000
// Detects a machine that disappeared silently after 20 s, for statements that have no other limit.
const keepAliveInitialDelayMillis = 10_000

/**
 * The only way to create a pool. Any connection may break at any time: Postgres restarts, a backend is terminated, a
 * network fails. `pg` reports it by an `error` event, and without a listener that event ends the process. So every
 * client gets a listener before any other code can use it. While a client is in use there is nothing more to do: its
 * next statement fails and says why.
 */
export function createPool({ onError, ...config }: PoolOptions): Pool {
  const pool = new Pool({ keepAlive: true, keepAliveInitialDelayMillis, ...config, ...followed(config) })
  pool.on('error', onError)
  // Adding the listener after `connect()` has resolved would be too late: the last message of a backend may arrive in
  // the same chunk as its first.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Half of the time is for finding the primary, the other half for connecting to it. */
function followed({
  connectionString,
  connectionTimeoutMillis,
}: PoolConfig & { connectionString: string }): PoolConfig {
  const servers = postgresServers(connectionString)
  if (servers?.onlyPrimary !== true) return {}
  const askForMs = (connectionTimeoutMillis ?? usualConnectTimeoutMs) / 2
  return { connectionString: servers.urls[0], Client: followPrimary(servers.urls, askForMs) }
}

function ignore(): void {}
