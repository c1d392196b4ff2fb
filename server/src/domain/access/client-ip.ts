import { isIP } from 'node:net'
import { unmapAddress } from './cidr.ts'
import type { NetworkList } from './network-list.ts'

interface ClientIpSource {
  /** The remote address of the socket; undefined once it has closed. */
  peerAddress: string | undefined
  /** The client-IP header as received. */
  headerValue: string | undefined
  /** The proxies that set the header. */
  edgeProxies: NetworkList
}

/**
 * The client address of a request. The header counts only from a configured proxy, because anyone can send it. If such
 * a proxy sends no header, or not exactly one address, the client address is unknown.
 */
export function clientIpOf({ peerAddress, headerValue, edgeProxies }: ClientIpSource): string | null {
  if (peerAddress === undefined) return null
  if (!edgeProxies.covers(peerAddress)) return unmapAddress(peerAddress)
  const address = headerValue?.trim() ?? ''
  return isIP(address) === 0 ? null : unmapAddress(address)
}
