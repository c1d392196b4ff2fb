import { BlockList, isIPv6 } from 'node:net'
import { unmapAddress } from './cidr.ts'

/** Configured addresses and ranges of both families, compared by value, not by spelling. */
export interface NetworkList {
  covers(address: string): boolean
}

export function networkList(entries: readonly string[]): NetworkList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return {
    covers: (address) => {
      const plain = unmapAddress(address)
      return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    },
  }
}
