import { CodeXml, Search } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { HeaderBalance } from './header-balance.tsx'
import { modifierName } from './shortcuts.ts'
import { useNavigation } from './use-navigation.ts'

// The menus load Base UI's positioning code, which the first paint does not need.
const WorkspaceSwitch = lazy(() => import('./workspace-switch.tsx'))
const PersonMenu = lazy(() => import('./person-menu.tsx'))

export function Header({ onPalette, onCalls }: { readonly onPalette: () => void; readonly onCalls: () => void }) {
  const { scope } = useNavigation()
  return (
    <header className="sticky top-(--bar) z-20 flex h-13 items-center gap-2 border-line border-b bg-surface px-4 max-md:gap-1 md:px-8 print:hidden">
      <div className="w-36 min-w-0 shrink md:hidden">
        <Suspense fallback={<Skeleton className="h-9 w-full" />}>
          <WorkspaceSwitch />
        </Suspense>
      </div>
      {scope === 'operator' ? null : <HeaderBalance />}
      <div className="flex-1" />
      <button
        type="button"
        onClick={onPalette}
        className="flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-muted text-sm transition-colors hover:bg-raised hover:text-ink max-md:border-transparent max-md:px-2"
      >
        <Search size={15} aria-hidden="true" />
        <span className="max-md:sr-only">Search</span>
        <kbd className="rounded border border-line px-1 font-sans text-xs max-md:hidden">{modifierName} K</kbd>
      </button>
      <IconButton label={`View API calls (${modifierName} /)`} onClick={onCalls}>
        <CodeXml size={17} aria-hidden="true" />
      </IconButton>
      <Suspense fallback={<Skeleton className="size-8 rounded-full" />}>
        <PersonMenu />
      </Suspense>
    </header>
  )
}
