import { Link } from '@tanstack/react-router'
import { currentMarks } from '../ui/current-marks.ts'
import { isActive } from './navigation.ts'
import type { NavigationEntry } from './navigation-entry.ts'
import { useNavigation } from './use-navigation.ts'

/** The groups of the scope's pages. */
export function NavigationList({ onOpen }: { readonly onOpen?: () => void }) {
  const { groups, pathname } = useNavigation()
  return (
    <div className="flex flex-col gap-4">
      {groups.map(({ heading, entries }) => (
        <section key={heading ?? entries[0]?.path} aria-label={heading ?? undefined}>
          {heading === null ? null : <h2 className="mb-1 px-2 font-medium text-muted text-xs">{heading}</h2>}
          <ul className="flex flex-col gap-0.5">
            {entries.map((entry) => (
              <li key={entry.path}>
                <Entry entry={entry} isCurrent={isActive(entry, pathname)} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Entry({
  entry: { path, label, icon: Icon },
  isCurrent,
  onOpen,
}: {
  readonly entry: NavigationEntry
  readonly isCurrent: boolean
  readonly onOpen: (() => void) | undefined
}) {
  return (
    <Link
      to={path}
      onClick={onOpen}
      {...currentMarks(isCurrent)}
      className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-raised hover:text-ink data-current:bg-accent-soft data-current:font-medium data-current:text-accent-strong max-md:h-10"
    >
      <Icon size={16} aria-hidden="true" />
      {label}
    </Link>
  )
}
