import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Settings, Sun, Wrench } from 'lucide-react'
import { callAuth } from '../api/auth.ts'
import { operatorKey } from '../api/operator-key.ts'
import { sessionQuery } from '../api/session.ts'
import { Menu } from '../ui/menu.tsx'
import { toastError } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'
import { chooseTheme, type Theme, useTheme } from './theme.ts'

const themes: readonly { readonly id: Theme; readonly label: string; readonly icon: typeof Sun }[] = [
  { id: 'system', label: 'System theme', icon: Monitor },
  { id: 'light', label: 'Light theme', icon: Sun },
  { id: 'dark', label: 'Dark theme', icon: Moon },
]

export default function PersonMenu() {
  const { data } = useQuery(sessionQuery)
  const navigate = useNavigate()
  const theme = useTheme()
  const signOut = async () => {
    await callAuth('/sign-out', {})
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/sign-in' })
    // Before, the pages would read everything again.
    operatorKey.forget()
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
  }
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
        {
          label: 'Operator console',
          icon: <Wrench size={14} aria-hidden="true" />,
          onSelect: () => void navigate({ to: '/operator/orders', search: { scope: undefined } }),
        },
        ...themes.map(({ id, label, icon: Icon }) => ({
          label,
          icon: <Icon size={14} aria-hidden="true" />,
          isChecked: theme === id,
          onSelect: () => chooseTheme(id),
        })),
        {
          label: 'Sign out',
          icon: <LogOut size={14} aria-hidden="true" />,
          onSelect: () => void signOut().catch(toastError),
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
