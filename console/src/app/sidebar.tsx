import { Link } from '@tanstack/react-router'
import { classNames } from '../lib/class-names.ts'
import { type NavigationEntry, navigation, operatorNavigation } from './navigation.ts'
import { useOperatorKey } from './use-operator-key.ts'
import { WeirMark } from './weir-mark.tsx'

export function Sidebar() {
  const isOperator = useOperatorKey()
  return (
    <nav
      aria-label="Main"
      className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-line border-r bg-surface px-3 py-4 md:flex"
    >
      <Link to="/" className="mb-5 flex items-center gap-2 px-2 font-semibold tracking-tight">
        <WeirMark />
        Weir
      </Link>
      <Entries of={navigation} />
      {isOperator ? (
        <>
          <h2 className="mt-5 mb-1 px-2 font-medium text-muted text-xs">Operator</h2>
          <Entries of={operatorNavigation} />
        </>
      ) : null}
    </nav>
  )
}

type Shown = Pick<NavigationEntry, 'path' | 'label' | 'icon'>

function Entries({ of: entries }: { readonly of: readonly Shown[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {entries.map((entry) => (
        <li key={entry.path}>
          <Entry entry={entry} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ entry: { path, label, icon: Icon } }: { readonly entry: Shown }) {
  return (
    <Link
      to={path}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-raised hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent-strong"
    >
      <Icon size={16} aria-hidden="true" />
      {label}
    </Link>
  )
}

/** The navigation on phones, where there is no sidebar. */
export function BottomBar() {
  const entries = navigation.filter(({ isOnPhones }) => isOnPhones)
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface md:hidden">
      {entries.map(({ path, label, icon: Icon }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{ exact: path === '/', includeSearch: false }}
          className={classNames(
            'flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-muted text-xs',
            'data-[status=active]:font-medium data-[status=active]:text-accent-strong',
          )}
        >
          <Icon size={18} aria-hidden="true" />
          <span className="truncate">{label}</span>
        </Link>
      ))}
    </nav>
  )
}
