import { isIP, isIPv4 } from 'node:net'
import { type NetworkList, networkList } from '#domain/access/network-list.ts'

type AddressVerdict = { readonly public: true } | { readonly public: false; readonly why: AddressKind }

/** Blocks that are not on the public internet, or that embed other addresses (IANA's special-purpose registries). */
const blocks = {
  'this network': ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  'site-local': ['fec0::/10'],
  // Responds on every Azure virtual machine, from an address that looks public.
  'cloud metadata service': ['168.63.129.16/32'],
  'protocol assignments': ['192.0.0.0/24', '192.88.99.0/24', '2001::/23', '5f00::/16', '100::/64'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarks: ['198.18.0.0/15'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: ['240.0.0.0/4'],
} as const satisfies Record<string, readonly string[]>

type AddressKind = keyof typeof blocks | 'an embedded IPv4 address' | 'not an address' | 'unassigned'

const lists: readonly { why: AddressKind; list: NetworkList }[] = kindsOf().map((why) => ({
  why,
  list: networkList(blocks[why]),
}))
const globalUnicast = networkList(['2000::/3'])
const translated = networkList(['64:ff9b::/96'])
// Separate from the others, because a network list matches every IPv4 address against the IPv4-mapped block.
const disguises = networkList(['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b:1::/48', '2002::/16'])

/**
 * Whether an address is on the public internet. IPv6 is denied by default: only global unicast without its special
 * blocks is allowed. The well-known NAT64 prefix, which networks without IPv4 need, is judged by the embedded address.
 */
export function judgeAddress(address: string): AddressVerdict {
  const plain = canonical(address)
  if (plain === null) return { public: false, why: 'not an address' }
  if (!isIPv4(plain) && translated.covers(plain)) return judgeAddress(embeddedIn(plain))
  const found = lists.find(({ list }) => list.covers(plain))
  if (found !== undefined) return { public: false, why: found.why }
  if (isIPv4(plain)) return { public: true }
  if (disguises.covers(plain)) return { public: false, why: 'an embedded IPv4 address' }
  if (globalUnicast.covers(plain)) return { public: true }
  return { public: false, why: 'unassigned' }
}

/** One spelling for each address: the URL parser's spelling, which has no dots in IPv6 and no zones. */
function canonical(address: string): string | null {
  switch (isIP(address)) {
    case 4:
      return address
    case 6:
      return URL.canParse(`http://[${address}]/`) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : null
    default:
      return null
  }
}

/** The last 32 bits of a canonical IPv6 address, as IPv4. */
function embeddedIn(address: string): string {
  const groups = address.split(':').slice(-2)
  return groups
    .map((group) => Number.parseInt(group === '' ? '0' : group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function kindsOf(): (keyof typeof blocks)[] {
  const isKind = (name: string): name is keyof typeof blocks => Object.hasOwn(blocks, name)
  return Object.keys(blocks).filter(isKind)
}
