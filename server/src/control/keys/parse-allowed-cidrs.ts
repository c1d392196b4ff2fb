import { parseCidr } from '#domain/access/cidr.ts'
import { malformed } from '#errors/malformed.ts'

const entriesMax = 100

/** An IPv4 address, an IPv4 range, or an IPv6 address, which is compared as a whole. An empty list allows everybody. */
export function parseAllowedCidrs(entries: readonly string[]): string[] {
  if (entries.length > entriesMax) throw malformed(`At most ${entriesMax} addresses may be listed.`)
  const cidrs = entries.map((entry) => entry.trim())
  const wrong = cidrs.find((entry) => parseCidr(entry) === undefined)
  if (wrong !== undefined) {
    throw malformed(`${wrong} is not an IPv4 address, an IPv4 range such as 10.0.0.0/8, or an IPv6 address.`)
  }
  return [...new Set(cidrs)]
}
