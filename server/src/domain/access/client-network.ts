import { isIPv6 } from 'node:net'

/**
 * Whose requests count together. Whoever has one IPv6 address has the 2^64 beside it, so a network of that size counts as one
 * client; all whose address is unknown share one count, so that an edge proxy that says nothing opens no hole.
 */
export function clientNetwork(clientIp: string | null): string {
  if (clientIp === null) return 'unknown'
  return isIPv6(clientIp) ? networkOf(clientIp) : clientIp
}

function networkOf(address: string): string {
  const [front = '', back] = address.replace(/%.*$/, '').split('::')
  const head = groupsOf(front)
  const tail = back === undefined ? [] : groupsOf(back)
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const groups = [...head, ...(back === undefined ? [] : zeros), ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

// The last two groups may be written as an IPv4 address; they are beyond the network, so only their number matters.
function groupsOf(text: string): string[] {
  const groups = text === '' ? [] : text.split(':')
  return groups.flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
