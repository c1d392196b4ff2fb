import { playedOrigin } from '#domain/test-models/played-origin.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'

/**
 * Sends each request to its destination: hosts that an organization named over guarded connections for that key alone,
 * test models inside the process, and everything else over the network.
 */
export function chooseUpstreams(ways: {
  readonly network: Upstreams
  readonly guarded: Upstreams
  readonly played: Upstreams
}): Upstreams {
  const { network, guarded, played } = ways
  const wayOf = ({ origin, pool }: UpstreamRequest): Upstreams => {
    if (pool !== undefined) return guarded
    return origin === playedOrigin ? played : network
  }
  return { open: (request, handler) => wayOf(request).open(request, handler) }
}
