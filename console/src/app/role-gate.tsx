import { lazy, type ReactNode, Suspense } from 'react'
import { useNavigation } from './use-navigation.ts'

// Few people ever see it, so the shell does not load it.
const HiddenPage = lazy(async () => ({ default: (await import('./hidden-page.tsx')).HiddenPage }))

/** Shows a page only to the roles whose navigation has it. A link from a colleague may lead others here. */
export function RoleGate({ children }: { readonly children: ReactNode }) {
  const { scope, hidden } = useNavigation()
  if (hidden === undefined) return children
  return (
    <Suspense fallback={null}>
      <HiddenPage title={hidden.label} granter={scope === 'operator' ? 'an owner' : 'an organization admin'} />
    </Suspense>
  )
}
