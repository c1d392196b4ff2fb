import type { FastifyRequest } from 'fastify'
import { clientIpOf } from '#domain/access/client-ip.ts'
import { networkList } from '#domain/access/network-list.ts'

interface EdgeSettings {
  /** Networks of trusted proxies. */
  readonly proxies: readonly string[]
  /** The header with the client address; in lower case. */
  readonly clientIpHeader: string
}

/** Reads the client address of a request. */
export function createClientIpReader(edge: EdgeSettings): (request: ClientIpRequest) => string | null {
  const edgeProxies = networkList(edge.proxies)
  return (request) => {
    const header = request.headers[edge.clientIpHeader]
    return clientIpOf({
      peerAddress: request.socket.remoteAddress,
      headerValue: typeof header === 'string' ? header : undefined,
      edgeProxies,
    })
  }
}

type ClientIpRequest = Pick<FastifyRequest, 'headers'> & {
  readonly socket: Pick<FastifyRequest['socket'], 'remoteAddress'>
}
