import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { NavigationList } from './navigation-list.tsx'
import { useNavigation } from './use-navigation.ts'
import { WeirMark } from './weir-mark.tsx'

// The menu loads Base UI's positioning code, which the first paint does not need.
const WorkspaceSwitch = lazy(() => import('./workspace-switch.tsx'))

export function Sidebar() {
  const { groups } = useNavigation()
  return (
    <nav
      aria-label="Main"
      className="sticky top-(--bar) hidden h-[calc(100dvh-var(--bar))] flex-col overflow-y-auto border-line border-r bg-surface px-3 py-4 md:flex print:hidden"
    >
      <Link
        to={groups[0]?.entries[0]?.path ?? '/'}
        className="mb-3 flex items-center gap-2 px-2 font-semibold tracking-tight"
      >
        <WeirMark />
        Weir
      </Link>
      <div className="mb-4 h-9">
        <Suspense fallback={<Skeleton className="h-9 w-full" />}>
          <WorkspaceSwitch />
        </Suspense>
      </div>
      <NavigationList />
    </nav>
  )
}
