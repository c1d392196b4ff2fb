import type { KeepAlive } from '#dialects/dialect.ts'
import type { ClientConnection } from '../../types.ts'

/**
 * Sends a comment to every stream that has been silent for too long, from the request's acceptance on. One timer serves
 * all streams of the process. A comment is the first byte of a response, so it also ends the time for failover. A
 * client that reads nothing for minutes is disconnected, because its hold and its upstream would wait forever.
 */
export interface KeepAlives {
  watch(connection: ClientConnection, keepAlive: KeepAlive, start: () => void): void
  /** Number of watched streams. */
  readonly watched: number
  stop(): void
}

interface KeepAliveOptions {
  everyMs: number
  nowMs: () => number
  /** How long a client may leave sent data unread. */
  unreadMaxMs?: number
}

const unreadMaxDefaultMs = 120_000

export function createKeepAlives(options: KeepAliveOptions): KeepAlives {
  const { unreadMaxMs = unreadMaxDefaultMs } = options
  const watched = new Map<ClientConnection, { keepAlive: KeepAlive; start: () => void }>()
  const tickMs = Math.max(50, Math.min(1_000, options.everyMs / 4))
  const timer = setInterval(() => {
    const nowMs = options.nowMs()
    for (const [connection, { keepAlive, start }] of watched) {
      const silentSince = nowMs - (keepAlive.everyMs ?? options.everyMs) + tickMs
      // A finished response is never silent again. Watching it would keep its whole request in memory.
      if (connection.gone || connection.quietSinceMs === Number.POSITIVE_INFINITY) {
        watched.delete(connection)
      } else if (connection.blockedSinceMs !== null) {
        // Comments would only add to the unread data.
        if (nowMs - connection.blockedSinceMs > unreadMaxMs) connection.drop()
      } else if (connection.quietSinceMs <= silentSince) {
        if (!connection.streaming) start()
        connection.write(keepAlive.bytes)
      }
    }
  }, tickMs)
  timer.unref()
  return {
    watch: (connection, keepAlive, start) => {
      watched.set(connection, { keepAlive, start })
    },
    get watched() {
      return watched.size
    },
    stop: () => clearInterval(timer),
  }
}
