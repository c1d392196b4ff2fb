import { Client, type ClientBase, type ClientConfig } from 'pg'

/** A class of clients that connect to the server of the list that currently accepts writes. */
type FollowingClient = new (config?: ClientConfig) => ClientBase

/** No server of the list accepts writes: they are unavailable, or none has been promoted yet. */
class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError'
  readonly code = 'NO_PRIMARY'
}

/**
 * The driver supports one server. So before a client connects, all servers are asked at the same time, each on its own
 * connection, and the client connects to the first that accepts writes. Nothing is cached: after a failover there is no
 * stale answer, and a frozen or unreachable server keeps no client waiting. Concurrent clients share one query.
 */
export function followPrimary(urls: readonly string[], askForMs: number): FollowingClient {
  let asking: Promise<Place> | null = null
  const find = (): Promise<Place> => {
    asking ??= findPrimary(urls, askForMs).finally(() => {
      asking = null
    })
    return asking
  }
  return class extends Client {
    override connect(): Promise<Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<Client> | void {
      const connecting = find().then((place) => {
        Object.assign(this, place)
        return super.connect()
      })
      if (callback === undefined) return connecting
      connecting.then(
        () => Reflect.apply(callback, null, [null, this]),
        (error: unknown) => Reflect.apply(callback, null, [error]),
      )
    }
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void)

interface Place {
  host: string
  port: number
}

async function findPrimary(urls: readonly string[], askForMs: number): Promise<Place> {
  try {
    return await Promise.any(urls.map((url) => askServer(url, askForMs)))
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map(reasonOf) : [reasonOf(error)]
    throw new NoPrimaryError(`no Postgres server accepts writes (${reasons.join('; ')})`)
  }
}

/** Resolves for a server that accepts writes. A standby reports `on`, and so does a primary that was made read-only. */
async function askServer(url: string, askForMs: number): Promise<Place> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: askForMs,
    query_timeout: askForMs,
    application_name: 'weir looks for the primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    const { host, port } = client
    if (rows[0]?.transaction_read_only !== 'off') throw new Error(`${host}:${port} is read-only`)
    return { host, port }
  } finally {
    // Not awaited: a server that hangs does not close the connection either.
    client.end().catch(() => {})
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
