import type { Upstreams } from '#ports/upstream.ts'
import type { EgressGuard } from './egress-guard.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'

/**
 * Exchanges with hosts that others have chosen, behind the guard. Every pool has connections of its own: what one owner's host
 * sends, or leaves behind in a connection, can not become an answer to somebody else, even at the same origin.
 */
export interface GuardedUpstreams extends Upstreams {
  /** Closes the pools that are not named, each when its last exchange is over. */
  keepOnly(pools: ReadonlySet<string>): void
  readonly size: number
  close(): Promise<void>
}

export interface GuardedUpstreamsOptions {
  readonly guard: EgressGuard
  readonly connectTimeoutMs: number
  /** For each pool. */
  readonly connectionsMax: number
  readonly onError: (error: unknown) => void
}

export function createGuardedUpstreams(options: GuardedUpstreamsOptions): GuardedUpstreams {
  const { guard, connectTimeoutMs, connectionsMax, onError } = options
  const pools = new Map<string, UpstreamClient>()

  function poolFor(name: string): UpstreamClient {
    const known = pools.get(name)
    if (known !== undefined) return known
    const fresh = createUpstreamClient({ connectTimeoutMs, connectionsMax, connect: guard.connect })
    pools.set(name, fresh)
    return fresh
  }

  return {
    open(request, handler) {
      // Judged at every call, for the policy may have changed since the URL was written down.
      if (guard.judgeText(request.origin).allowed) return poolFor(request.pool ?? '').open(request, handler)
      handler.failed({ kind: 'unreachable', message: 'The upstream has an address that may not be asked.' })
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
    keepOnly(names) {
      for (const [name, client] of pools) {
        if (names.has(name)) continue
        pools.delete(name)
        client.retire().catch(onError)
      }
    },
    get size() {
      return pools.size
    },
    close: async () => {
      const clients = [...pools.values()]
      pools.clear()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
