import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { useMemo } from 'react'
import { deliveriesQuery } from '../../api/webhooks.ts'
import { useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { deliveryStateInWords } from './delivery-state.tsx'
import { OrganizationSecretCard } from './organization-secret-card.tsx'
import { deliveryStates } from './route.tsx'
import { SecretCard } from './secret-card.tsx'
import { VerifyCard } from './verify-card.tsx'

const route = getRouteApi('/app/webhooks')

/** Calls to the addresses that orders for videos named: what became of each, and how they are signed. */
export function WebhooksPage() {
  const { state } = route.useSearch()
  const wallet = useWallet()
  const deliveries = useInfiniteQuery(deliveriesQuery(wallet, state === undefined ? {} : { state }))
  const rows = useMemo(() => deliveries.data?.pages.flatMap(({ data }) => data), [deliveries.data])
  const columns = useMemo(() => deliveryColumns(wallet), [wallet])
  return (
    <Page
      title="Webhooks"
      description="The address in callback_url of an order is called once its video is finished or has failed, and for a day until it answers 2xx."
    >
      <div className="mb-6">
        {wallet.organizationId === null ? <SecretCard /> : <OrganizationSecretCard name={wallet.name} />}
      </div>
      <h2 className="mb-2 font-semibold text-sm">Calls</h2>
      <DataTable
        name="webhooks"
        label="Calls"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        hasMore={deliveries.hasNextPage && !deliveries.isFetchingNextPage}
        onMore={() => void deliveries.fetchNextPage()}
        filters={<StateFilter />}
        empty={
          state === undefined ? <NoCalls /> : <EmptyState title={`No call is ${deliveryStateInWords({ state })}`} />
        }
      />
      <div className="mt-6">
        <VerifyCard />
      </div>
    </Page>
  )
}

const choices = [
  { value: '', label: 'All calls' },
  ...deliveryStates.map((state) => ({ value: state, label: deliveryStateInWords({ state }) })),
]

function StateFilter() {
  const { state = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className="w-40">
      <SelectField
        label="State"
        isLabelHidden
        choices={choices}
        value={state}
        onChange={({ target }) => {
          const chosen = deliveryStates.find((one) => one === target.value)
          void navigate({
            search: ({ state: _old, ...others }) => (chosen === undefined ? others : { ...others, state: chosen }),
            replace: true,
          })
        }}
      />
    </div>
  )
}

function NoCalls() {
  return (
    <EmptyState
      icon={<Webhook size={24} aria-hidden="true" />}
      title="No address was called yet"
      action={
        <Link to="/videos" className={buttonClass()}>
          See your videos
        </Link>
      }
    >
      Order a video with <code className="font-mono text-xs">callback_url</code>, and your program need not ask whether
      it is finished.
    </EmptyState>
  )
}
