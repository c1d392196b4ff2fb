import { isIPv6 } from 'node:net'

/**
 * The network whose requests count together. The owner of one IPv6 address also has the 2^64 addresses next to it, so a
 * network of that size counts as one client. All unknown addresses share one count, so that a misconfigured edge proxy
 * does not bypass the limit.
 */
export function clientNetwork(clientIp: string | null): string {
  return networkOf(clientIp, { ipv4Bits: 32, ipv6Bits: 64 })
}

/** One internet connection: an IPv4 address, or the /56 that a provider assigns to a household. */
export function clientSite(clientIp: string | null): string {
  return networkOf(clientIp, { ipv4Bits: 32, ipv6Bits: 56 })
}

/** The 256 sites among which a client can move without changing its provider: /24 for IPv4, /48 for IPv6. */
export function clientNeighbourhood(clientIp: string | null): string {
  return networkOf(clientIp, { ipv4Bits: 24, ipv6Bits: 48 })
}

function networkOf(clientIp: string | null, { ipv4Bits, ipv6Bits }: { ipv4Bits: 24 | 32; ipv6Bits: number }): string {
  if (clientIp === null) return 'unknown'
  if (isIPv6(clientIp)) return ipv6Network(clientIp, ipv6Bits)
  return ipv4Bits === 32 ? clientIp : `${clientIp.split('.').slice(0, 3).join('.')}.0/24`
}

function ipv6Network(address: string, bits: number): string {
  const [front = '', back = ''] = address.replace(/%.*/, '').split('::')
  const head = groupsOf(front)
  const tail = groupsOf(back)
  // Expands `::`; an address without it already has eight groups.
  const zeros = Array.from<number>({ length: 8 - head.length - tail.length }).fill(0)
  const groups = [...head, ...zeros, ...tail].slice(0, Math.ceil(bits / 16))
  const kept = groups.map((group, position) => {
    const spare = Math.max(0, 16 * (position + 1) - bits)
    return ((group >> spare) << spare).toString(16)
  })
  return `${kept.join(':')}::/${bits}`
}

// An empty part next to `::` is one of the zero groups that it stands for. The last two groups may be written as an
// IPv4 address; they are outside the network part, so only their number matters.
function groupsOf(text: string): number[] {
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number(`0x0${group}`)]))
}
