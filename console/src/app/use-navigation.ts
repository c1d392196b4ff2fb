import { useLocation } from '@tanstack/react-router'
import { type NavigationGroup, navigationOf, type ScopeKind } from './navigation.ts'
import { useOperatorKey } from './use-operator-key.ts'
import { useWallet } from './wallet.ts'

/** The scope of the page, its path, and the pages that the person may open there. */
export function useNavigation(): {
  readonly scope: ScopeKind
  readonly pathname: string
  readonly groups: readonly NavigationGroup[]
} {
  const wallet = useWallet()
  const isOperator = useOperatorKey()
  const pathname = useLocation({ select: (location) => location.pathname })
  const scope = isOperator && pathname.startsWith('/operator/') ? 'operator' : wallet.kind
  return { scope, pathname, groups: navigationOf(scope, wallet) }
}
