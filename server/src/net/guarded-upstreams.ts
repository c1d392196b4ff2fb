import { assert } from '#lib/assert.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { EgressGuard } from './egress-guard.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'

/**
 * Exchanges with hosts that accounts have chosen, through the guard. Every pool has its own connections: the bytes that
 * one owner's host sends, or leaves behind in a connection, cannot become a response to another account, even at the
 * same origin. Without a pool an exchange has its own connection, which closes after it.
 */
export interface GuardedUpstreams extends Upstreams {
  /** Closes all other pools, each after its last exchange. */
  keepOnly(pools: ReadonlySet<string>): void
  readonly size: number
  close(): Promise<void>
}

interface GuardedUpstreamsOptions {
  readonly guard: EgressGuard
  readonly connectTimeoutMs: number
  /** Maximum connections of each pool. */
  readonly connectionsMax: number
  readonly onError: (error: unknown) => void
}

export function createGuardedUpstreams(options: GuardedUpstreamsOptions): GuardedUpstreams {
  const { guard, connectTimeoutMs, connectionsMax, onError } = options
  const pools = new Map<string, UpstreamClient>()
  const singles = new Set<UpstreamClient>()

  function clientFor(account: string): UpstreamClient {
    return createUpstreamClient({ connectTimeoutMs, connectionsMax, connect: guard.connectFor(account) })
  }

  function poolFor(name: string, account: string): UpstreamClient {
    const known = pools.get(name)
    if (known !== undefined) return known
    const fresh = clientFor(account)
    pools.set(name, fresh)
    return fresh
  }

  function openSingle(request: UpstreamRequest, handler: UpstreamHandler, account: string): UpstreamExchange {
    const client = clientFor(account)
    singles.add(client)
    const exchange = client.open(request, handler)
    client
      .retire()
      .catch(onError)
      .finally(() => singles.delete(client))
    return exchange
  }

  return {
    open(request, handler) {
      const { account, pool, origin } = request
      assert(account !== undefined, 'a host that others chose is asked in the turn of an account')
      // Judged for every request, because the policy may have changed since the URL was stored.
      if (!guard.judgeText(origin).allowed) {
        handler.failed({ kind: 'unreachable', message: 'The upstream address is not allowed.' })
        return { pause: () => {}, resume: () => {}, abort: () => {} }
      }
      return pool === undefined ? openSingle(request, handler, account) : poolFor(pool, account).open(request, handler)
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
      const clients = [...pools.values(), ...singles]
      pools.clear()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
