import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { keyHolderOf } from '../../app/key-holder.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeKeys } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Page } from '../../ui/page.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { useOwners } from './use-owners.ts'
import { keysQuery } from '../../api/keys.ts'

const route = getRouteApi('/app/keys')

export function KeysPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wallet = useWallet()
  // In the URL, so that the command palette opens the dialog as well.
  const setCreating = (isOpen: boolean) =>
    void navigate({
      to: '/keys',
      search: ({ create: _old, ...others }) => (isOpen ? { ...others, create: true } : others),
      replace: true,
    })
  const keys = usePagedRows(useInfiniteQuery(keysQuery(keyHolderOf(wallet), search)))
  const { columns, filters } = useOwners()
  const mayChange = mayChangeKeys(wallet)
  const create = mayChange ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  ) : null
  return (
    <Page title="API keys" description="Use one key per application. Secrets are shown only once." actions={create}>
      <DataTable
        name="keys"
        label="API keys"
        columns={mayChange ? columns : columns.filter(({ id }) => id !== 'menu')}
        fields={filters}
        {...keys}
        rowId={({ id }) => id}
        usualSort="-created"
        onOpen={({ id }) => void navigate({ to: '/keys/$keyId', params: { keyId: id }, search: true })}
        searchBox={{ label: 'Search keys', hint: 'Name, ID, or end of secret' }}
        empty={
          <EmptyState icon={<KeyRound size={24} aria-hidden="true" />} title="No API keys yet" action={create}>
            Applications use API keys to call models with your credit. Set a spend limit to cap what a key can cost.
          </EmptyState>
        }
      />
      <Outlet />
      {mayChange && search.create === true ? (
        <CreateKeyDialog wallet={wallet} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  )
}
