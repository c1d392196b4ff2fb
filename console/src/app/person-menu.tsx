import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LogOut, Settings, Wrench } from 'lucide-react'
import { consoleStateQuery } from '../api/console-state.ts'
import { sessionQuery } from '../api/session.ts'
import { shownView } from '../api/shown-view.ts'
import { Menu } from '../ui/menu.tsx'
import { leaveView } from './leave-view.ts'
import { openDocs } from './open-docs.ts'
import { chooseTheme, useTheme } from './theme.ts'
import { themeChoices } from './theme-choices.ts'
import { useOperator } from './use-operator.ts'
import { useSignOut } from './use-sign-out.ts'

export default function PersonMenu() {
  const { data } = useQuery(sessionQuery)
  const { data: state } = useQuery(consoleStateQuery)
  const { role } = useOperator()
  const navigate = useNavigate()
  const theme = useTheme()
  const signOut = useSignOut()
  const name = data?.user.name ?? ''
  return (
    <Menu
      heading={data?.user.email}
      items={[
        {
          label: 'Settings',
          icon: <Settings size={14} aria-hidden="true" />,
          onSelect: () => void navigate({ to: '/settings', search: { scope: undefined } }),
        },
        ...(role === null
          ? []
          : [
              {
                label: 'Operator console',
                icon: <Wrench size={14} aria-hidden="true" />,
                onSelect: () => void navigate({ to: '/operator', search: { scope: undefined } }),
              },
            ]),
        ...(state?.documentation === true
          ? [
              {
                label: 'Documentation',
                icon: <BookOpen size={14} aria-hidden="true" />,
                onSelect: openDocs,
              },
            ]
          : []),
        ...themeChoices.map(({ id, label, icon: Icon }) => ({
          label,
          icon: <Icon size={14} aria-hidden="true" />,
          isChecked: theme === id,
          onSelect: () => chooseTheme(id),
        })),
        {
          label: shownView() === null ? 'Sign out' : 'End view',
          icon: <LogOut size={14} aria-hidden="true" />,
          onSelect: shownView() === null ? signOut : () => leaveView({ hasEnded: false }),
        },
      ]}
      trigger={
        <button
          type="button"
          className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-strong text-xs"
        >
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="sr-only">User menu</span>
        </button>
      }
    />
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return (
    words
      .map((word) => word.charAt(0).toUpperCase())
      .slice(0, 2)
      .join('') || '·'
  )
}
