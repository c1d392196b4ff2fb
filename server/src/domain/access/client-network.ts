import { isIPv6 } from 'node:net'

/**
 * Whose requests count together. The owner of one IPv6 address has the 2^64 beside it, so a network of that size counts
 * as one client; all whose address is unknown share one count, so that an edge proxy that says nothing opens no hole.
 */
export function clientNetwork(clientIp: string | null): string {
  return networkOf(clientIp, { ipv4Bits: 32, ipv6Bits: 64 })
}

/** One connection to the internet: an IPv4 address, or the /56 that a provider gives to a household. */
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
  // What `::` stands for; an address without it has its eight groups already.
  const zeros = Array.from<number>({ length: 8 - head.length - tail.length }).fill(0)
  const groups = [...head, ...zeros, ...tail].slice(0, Math.ceil(bits / 16))
  const kept = groups.map((group, position) => {
    const spare = Math.max(0, 16 * (position + 1) - bits)
    return ((group >> spare) << spare).toString(16)
  })
  return `${kept.join(':')}::/${bits}`
}

// Nothing beside `::` is one of the groups of zeros that it stands for. The last two groups may be written as an IPv4
// address; they are beyond the network, so only their number matters.
function groupsOf(text: string): number[] {
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number(`0x0${group}`)]))
}
