import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { currentMarks } from '../ui/current-marks.ts'
import { isActive } from './navigation.ts'
import { useNavigation } from './use-navigation.ts'

const entryClass =
  'flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-muted text-xs data-current:font-medium data-current:text-accent-strong'

/** The navigation on phones, where there is no sidebar. "More" opens all of it. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  const { groups, pathname } = useNavigation()
  const entries = groups.flatMap((group) => group.entries.filter(({ isOnPhones }) => isOnPhones))
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface md:hidden print:hidden"
    >
      {entries.map((entry) => (
        <Link key={entry.path} to={entry.path} {...currentMarks(isActive(entry, pathname))} className={entryClass}>
          <entry.icon size={18} aria-hidden="true" />
          <span className="max-w-full truncate px-1">{entry.label}</span>
        </Link>
      ))}
      <button type="button" onClick={onMore} aria-haspopup="dialog" className={entryClass}>
        <Menu size={18} aria-hidden="true" />
        More
      </button>
    </nav>
  )
}
