import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Plus } from 'lucide-react'
import { consoleStateQuery } from '../api/console-state.ts'
import { buttonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { useNavigation } from './use-navigation.ts'
import { useWorkspaces } from './use-workspaces.ts'
import { useWallet } from './wallet.ts'

/** Switches between the person's own pages, an organization's and the operator's. The choice is in the URL. */
export default function WorkspaceSwitch() {
  const { scope } = useNavigation()
  const wallet = useWallet()
  const workspaces = useWorkspaces()
  const navigate = useNavigate()
  const state = useQuery(consoleStateQuery)
  const create = {
    label: 'New organization',
    icon: <Plus size={14} aria-hidden="true" className="shrink-0 text-muted" />,
    onSelect: () => void navigate({ to: '/new-organization', search: { scope: undefined } }),
  }
  const current = workspaces.find(({ isCurrent }) => isCurrent)
  const Icon = current?.icon
  return (
    <Menu
      align="start"
      heading="Workspace"
      items={[
        ...workspaces.map(({ name, icon: ItemIcon, isCurrent, open }) => ({
          label: name,
          icon: <ItemIcon size={14} aria-hidden="true" className="shrink-0 text-muted" />,
          isChecked: isCurrent,
          onSelect: open,
        })),
        ...(state.data?.creates_organizations === true ? [create] : []),
      ]}
      trigger={
        <button type="button" className={buttonClass('plain', 'normal', 'w-full min-w-0 shrink justify-start px-2')}>
          {Icon === undefined ? null : <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />}
          <span className="sr-only">Workspace: </span>
          <span className="min-w-0 flex-1 truncate text-left">{scope === 'operator' ? 'Operator' : wallet.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
        </button>
      }
    />
  )
}
