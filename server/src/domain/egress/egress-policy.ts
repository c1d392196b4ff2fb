import { isIP } from 'node:net'
import { networkList } from '#domain/access/network-list.ts'
import { judgeAddress } from './judge-address.ts'

/** Where requests may go if an account has chosen their address. */
export interface EgressPolicy {
  /** Null for an address that may be asked, else what speaks against it. */
  objectionTo(address: string): string | null
  /** Whether it lies in a network that the operator has opened. */
  isOpened(address: string): boolean
  /** Whether the operator has opened any, so that names of private networks may mean something. */
  readonly opensNetworks: boolean
}

/** The public internet, and the networks that an operator allows beside it. */
export function egressPolicy(allowedNetworks: readonly string[]): EgressPolicy {
  const allowed = networkList(allowedNetworks)
  const isOpened = (address: string): boolean => isIP(address) !== 0 && allowed.covers(address)
  return {
    objectionTo(address) {
      const verdict = judgeAddress(address)
      return verdict.public || isOpened(address) ? null : verdict.why
    },
    isOpened,
    opensNetworks: allowedNetworks.length > 0,
  }
}
