import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { scopeOf } from './scope-rewrite.ts'
import { organizationsQuery, useWallet } from './wallet.ts'

/** Switches the wallet that the pages show. The choice is in the URL. */
export default function WalletSwitch() {
  const wallet = useWallet()
  const navigate = useNavigate()
  const { data } = useQuery(organizationsQuery)
  const choose = (slug: string | undefined) => {
    void navigate({ to: '.', search: (old) => ({ ...old, scope: slug === undefined ? undefined : scopeOf(slug) }) })
  }
  const items = [
    { label: 'Personal', isChecked: wallet.organizationId === null, onSelect: () => choose(undefined) },
    ...(data?.data ?? []).map(({ id, name, slug }) => ({
      label: name,
      isChecked: wallet.organizationId === id,
      onSelect: () => choose(slug),
    })),
  ]
  return (
    <Menu
      align="start"
      heading="Account"
      items={items}
      trigger={
        <button type="button" className={buttonClass('plain', 'normal', 'h-8 max-w-56 px-2.5')}>
          <span className="sr-only">Account: </span>
          <span className="truncate">{wallet.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" className="text-muted" />
        </button>
      }
    />
  )
}
