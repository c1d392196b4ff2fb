import { Pool, type PoolConfig } from 'pg'
import { postgresServers } from '#lib/postgres-servers.ts'
import { followPrimary } from './follow-primary.ts'

interface PoolOptions extends PoolConfig {
  /** One server, or several of which the one that takes writes is meant. */
  connectionString: string
  /** A connection that broke while it waited in the pool, which replaces it. */
  onError: (error: Error) => void
}

const usualConnectTimeoutMs = 5_000
// With it a machine that vanished without a word is noticed after 20 s, by statements that have no other limit.
const keepAliveInitialDelayMillis = 10_000

/**
 * The one way to make a pool. Any connection may vanish at any moment: Postgres restarts, a backend is terminated, a
 * network fails. `pg` tells of it by an event, and an event `error` without a listener ends the process. So every
 * client gets a listener before anything else can hold it. While a client is in use there is nothing more to do: its
 * next statement fails and says why.
 */
export function createPool({ onError, ...config }: PoolOptions): Pool {
  const pool = new Pool({ keepAlive: true, keepAliveInitialDelayMillis, ...config, ...followed(config) })
  pool.on('error', onError)
  // Not after `connect()` has resolved: the last words of a backend may arrive in the same piece as its first.
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
