import type { KeyHolder } from '../api/keys.ts'
import { useWallet, type Wallet } from './wallet.ts'
import { hasOwnKeys } from './wallet-rights.ts'

/** Whose keys the pages of this scope show. */
export function keyHolderOf(wallet: Wallet): KeyHolder {
  return { organizationId: wallet.organizationId, isOwn: wallet.kind === 'person' || hasOwnKeys(wallet) }
}

export function useKeyHolder(): KeyHolder {
  return keyHolderOf(useWallet())
}
