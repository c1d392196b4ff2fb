import { ChevronsUpDown } from 'lucide-react'
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
  const current = workspaces.find(({ isCurrent }) => isCurrent)
  const Icon = current?.icon
  return (
    <Menu
      align="start"
      heading="Workspace"
      items={workspaces.map(({ name, icon: ItemIcon, isCurrent, open }) => ({
        label: name,
        icon: <ItemIcon size={14} aria-hidden="true" className="shrink-0 text-muted" />,
        isChecked: isCurrent,
        onSelect: open,
      }))}
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
