import { isIP } from 'node:net'

/** The names to try for a host, as resolv.conf says. */
interface SearchList {
  readonly domains: readonly string[]
  /** A name with at least this many dots is tried unchanged before the search domains. */
  readonly dotsMin: number
}

export const noSearchList: SearchList = { domains: [], dotsMin: 1 }

// glibc's limits.
const domainsMax = 32
const dotsMax = 15

/** Only the last `search` or `domain` line counts, but every `ndots` is read. */
export function parseSearchList(text: string): SearchList {
  let { domains, dotsMin } = noSearchList
  for (const line of text.split('\n')) {
    const [keyword = '', ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') {
      domains = values.map((value) => value.replace(/\.+$/, '').toLowerCase()).filter((value) => value !== '')
    }
    if (keyword !== 'options') continue
    for (const [, dots] of values.map((value) => /^ndots:(\d+)$/.exec(value) ?? [])) {
      if (dots !== undefined) dotsMin = Math.min(dotsMax, Number(dots))
    }
  }
  return { domains: domains.slice(0, domainsMax), dotsMin }
}

/** The names to query, in order. A trailing dot means that a name is complete. */
export function namesToTry(host: string, { domains, dotsMin }: SearchList): string[] {
  const name = host.replace(/\.$/, '')
  if (host.endsWith('.')) return [name]
  const completed = domains.map((domain) => `${name}.${domain}`).filter(({ length }) => length <= 253)
  const dots = name.split('.').length - 1
  return dots >= dotsMin ? [name, ...completed] : [...completed, name]
}

/** The addresses of each name in a hosts file, in line order. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    // An address with a zone, such as `fe80::1%lo0`, is valid on only one interface.
    if (isIP(address) === 0 || address.includes('%')) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      const addresses = found.get(name) ?? []
      if (!addresses.includes(address)) found.set(name, [...addresses, address])
    }
  }
  return found
}
