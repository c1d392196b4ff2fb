import { useLocation } from '@tanstack/react-router'
import { entryOfOthers, navigationOf, type ScopeKind } from './navigation.ts'
import type { NavigationEntry, NavigationGroup } from './navigation-entry.ts'
import { useOperator } from './use-operator.ts'
import { useWallet } from './wallet.ts'

/** The scope of the page, its path, and the pages that the person may open there. */
export function useNavigation(): {
  readonly scope: ScopeKind
  readonly pathname: string
  readonly groups: readonly NavigationGroup[]
  /** The entry of the page, if the person's role may not view it. */
  readonly hidden: NavigationEntry | undefined
} {
  const wallet = useWallet()
  const operator = useOperator()
  const pathname = useLocation({ select: (location) => location.pathname })
  const scope = operator.isReady && pathname.startsWith('/operator/') ? 'operator' : wallet.kind
  const viewed = { ...wallet, operatorRole: operator.role }
  return { scope, pathname, groups: navigationOf(scope, viewed), hidden: entryOfOthers(scope, viewed, pathname) }
}
