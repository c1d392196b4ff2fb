import { parseCidr } from '#domain/access/cidr.ts'
import { formatUsd, type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'

// A larger limit has no effect, and much larger ones do not fit a bigint.
const limitMax = parseUsd('1000000000')

/** Rejects an invalid spend limit. Zero is valid: such a key cannot spend. */
export function assertKeyLimit(limit: NanoUsd | null): void {
  if (limit === null || (limit >= 0n && limit <= limitMax)) return
  throw malformed(`The spend limit must be from 0 to ${formatUsd(limitMax)} USD, or null for no limit.`)
}

const entriesMax = 100

/**
 * Parses IPv4 addresses, IPv4 ranges, and IPv6 addresses, which are compared as a whole. An empty list allows every
 * address.
 */
export function parseAllowedCidrs(entries: readonly string[]): string[] {
  if (entries.length > entriesMax) throw malformed(`List at most ${entriesMax} addresses.`)
  const cidrs = entries.map((entry) => entry.trim())
  const wrong = cidrs.find((entry) => parseCidr(entry) === undefined)
  if (wrong !== undefined) {
    throw malformed(`${wrong} is not an IPv4 address, an IPv4 CIDR range such as 10.0.0.0/8, or an IPv6 address.`)
  }
  return [...new Set(cidrs)]
}
