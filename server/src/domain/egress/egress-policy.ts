import { isIP } from 'node:net'
import { networkList } from '#domain/access/network-list.ts'
import { judgeAddress } from './judge-address.ts'

/** Which addresses the gateway may connect to if an account chose them. */
export interface EgressPolicy {
  /** Returns null for an allowed address, otherwise the reason against it. */
  objectionTo(address: string): string | null
  /** Whether the address is in a network that the operator allowed. */
  isOpened(address: string): boolean
  /** Whether the operator allowed any network, so that private host names may be valid. */
  readonly opensNetworks: boolean
}

/** Allows the public internet and the networks that an operator configured. */
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
