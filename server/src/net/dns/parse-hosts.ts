import { isIP } from 'node:net'

/** The addresses of each name in a hosts file, in the order of its lines. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    // An address with a zone, such as `fe80::1%lo0`, is good on one interface alone.
    if (isIP(address) === 0 || address.includes('%')) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      const addresses = found.get(name) ?? []
      if (!addresses.includes(address)) found.set(name, [...addresses, address])
    }
  }
  return found
}
