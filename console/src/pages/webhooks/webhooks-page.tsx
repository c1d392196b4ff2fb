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
import type { FilterField } from '../../ui/filter-field.ts'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
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
  const deliveries = usePagedRows(useInfiniteQuery(deliveriesQuery(wallet, state === undefined ? {} : { state })))
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
        {...deliveries}
        rowId={({ id }) => id}
        fields={fields}
        empty={<NoCalls />}
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

const fields: readonly FilterField[] = [
  {
    name: 'state',
    label: 'Status',
    type: 'choice',
    choices: deliveryStates.map((state) => ({ value: state, label: deliveryStateInWords({ state }) })),
  },
]

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
