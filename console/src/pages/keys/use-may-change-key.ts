import { useQuery } from '@tanstack/react-query'
import type { Key } from '../../api/keys.ts'
import { sessionQuery } from '../../api/session.ts'
import { useWallet } from '../../app/wallet.ts'
import { hasOwnKeys, mayChangeKeys } from '../../app/wallet-rights.ts'

/** Tells whether the person may change a key. Members change only the keys that they created. */
export function useMayChangeKey(): (key: Key) => boolean {
  const wallet = useWallet()
  const { data: session } = useQuery(sessionQuery)
  if (!hasOwnKeys(wallet)) return () => mayChangeKeys(wallet)
  return ({ creator_user_id: creator }) => creator === session?.user.id
}
