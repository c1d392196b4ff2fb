import { isIPv6 } from 'node:net'

/** One entry of an allow-list: an IPv4 block, or an IPv6 address as written. */
type Cidr =
  | { readonly family: 4; readonly base: number; readonly mask: number }
  | { readonly family: 6; readonly literal: string }

const ipv4Form = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/
const prefixForm = /^(?:\d|[12]\d|3[0-2])$/
const mappedForm = /^::ffff:(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

/** Parses a bare IPv4 address, an IPv4 block from /0 to /32, or an IPv6 address; undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', prefix = '32', ...more] = unmapAddress(text).split('/')
  const base = parseIpv4(address)
  if (base === undefined) return isIPv6(text) ? { family: 6, literal: text } : undefined
  if (more.length > 0 || !prefixForm.test(prefix)) return undefined
  // In JavaScript a shift by 32 shifts by 0, so /0 is handled separately.
  const mask = prefix === '0' ? 0 : (-1 << (32 - Number(prefix))) >>> 0
  return { family: 4, base: (base & mask) >>> 0, mask }
}

/** Whether an entry covers an address. An IPv4 address that a dual-stack socket shows as IPv6 counts as IPv4. */
export function coversAddress(entry: string, address: string): boolean {
  const cidr = parseCidr(entry)
  if (cidr === undefined) return false
  if (cidr.family === 6) return cidr.literal === address
  const ipv4 = parseIpv4(unmapAddress(address))
  return ipv4 !== undefined && (ipv4 & cidr.mask) >>> 0 === cidr.base
}

/** Converts `::ffff:1.2.3.4` to `1.2.3.4` and returns every other address unchanged. */
export function unmapAddress(address: string): string {
  return mappedForm.exec(address)?.[1] ?? address
}

/** Octets with leading zeros are rejected, because some parsers read them as octal. */
function parseIpv4(text: string): number | undefined {
  const octets = ipv4Form.exec(text)?.slice(1)
  if (octets === undefined) return undefined
  let value = 0
  for (const octet of octets) {
    if (Number(octet) > 255 || (octet.length > 1 && octet.startsWith('0'))) return undefined
    value = value * 256 + Number(octet)
  }
  return value
}
