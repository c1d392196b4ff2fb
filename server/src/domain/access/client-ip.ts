import { isIP } from 'node:net'
import { unmapAddress } from './cidr.ts'
import type { NetworkList } from './network-list.ts'

interface ClientIpSource {
  /** The other end of the socket; absent once it has closed. */
  peerAddress: string | undefined
  /** The client-IP header as received. */
  headerValue: string | undefined
  /** The proxies that set the header. */
  edgeProxies: NetworkList
}

/**
 * Whose address a request comes from. The header counts only from a configured proxy, since anybody can send it; behind
 * such a proxy a header that is missing, or that is not one address, leaves the address unknown.
 */
export function clientIpOf({ peerAddress, headerValue, edgeProxies }: ClientIpSource): string | null {
  if (peerAddress === undefined) return null
  if (!edgeProxies.covers(peerAddress)) return unmapAddress(peerAddress)
  const address = headerValue?.trim() ?? ''
  return isIP(address) === 0 ? null : unmapAddress(address)
}
