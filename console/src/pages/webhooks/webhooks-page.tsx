import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { useMemo } from 'react'
import { deliveriesQuery } from '../../api/webhooks.ts'
import { useWallet, type Wallet } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { deliveryStateInWords } from './delivery-state.tsx'
import { deliveryStates } from './search.ts'
import { SecretCard } from './secret-card.tsx'
import { VerifyCard } from './verify-card.tsx'

const route = getRouteApi('/app/webhooks')

/** Webhook deliveries of video jobs: their states, and how they are signed. */
export function WebhooksPage() {
  const { state } = route.useSearch()
  const wallet = useWallet()
  const deliveries = useInfiniteQuery(deliveriesQuery(wallet, state === undefined ? {} : { state }))
  const rows = useMemo(() => deliveries.data?.pages.flatMap(({ data }) => data), [deliveries.data])
  const columns = useMemo(() => deliveryColumns(wallet), [wallet])
  return (
    <Page
      title="Webhooks"
      description="Weir sends a webhook when a video completes or fails and when an alert fires, and retries failed deliveries for a day."
    >
      {maySign(wallet) ? (
        <div className="mb-6">
          <SecretCard wallet={wallet} />
        </div>
      ) : null}
      <h2 className="mb-2 font-semibold text-sm">Deliveries</h2>
      <DataTable
        name="webhooks"
        label="Deliveries"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        hasMore={deliveries.hasNextPage && !deliveries.isFetchingNextPage}
        onMore={() => void deliveries.fetchNextPage()}
        filters={<StateFilter />}
        empty={state === undefined ? <NoCalls /> : <EmptyState title="No matching deliveries" />}
      />
      <div className="mt-6">
        <VerifyCard />
      </div>
    </Page>
  )
}

/** Members see the deliveries of an organization, and its administrators the secret as well. */
function maySign(wallet: Wallet): boolean {
  return wallet.kind === 'person' || mayAct(wallet, 'organization.webhookSecret')
}

const choices = [
  { value: '', label: 'All deliveries' },
  ...deliveryStates.map((state) => ({ value: state, label: deliveryStateInWords({ state }) })),
]

function StateFilter() {
  const { state = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className="w-40">
      <SelectField
        label="Status"
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
      title="No deliveries yet"
      action={
        <Link to="/videos" className={buttonClass()}>
          View videos
        </Link>
      }
    >
      Set <code className="font-mono text-xs">callback_url</code> when you create a video, and Weir notifies your
      endpoint when it finishes.
    </EmptyState>
  )
}
