import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Landmark } from 'lucide-react'
import { allTopUpsQuery } from '../../api/operator.ts'
import { useMayOperate } from '../../app/use-operator.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { TransferCard } from './transfer-card.tsx'
import { transferColumns } from './transfer-columns.tsx'
import { WriteOffCard } from './write-off-card.tsx'

/** Payments that bypassed the payment provider, and write-offs. */
export function TransfersPage() {
  const seesOrders = useMayOperate()('operators.payments.read')
  return (
    <Page
      title="Bank transfers and write-offs"
      description="Identify a customer by email address, organization slug, or the ID of the customer or the wallet."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TransferCard />
        <WriteOffCard />
      </div>
      {seesOrders ? <RecordedTransfers /> : null}
    </Page>
  )
}

function RecordedTransfers() {
  const navigate = useNavigate()
  const transfers = usePagedRows(useInfiniteQuery(allTopUpsQuery({ transfers: 'true' })))
  return (
    <div className="mt-8">
      <h2 className="mb-3 font-semibold">Recorded transfers</h2>
      <DataTable
        name="transfers"
        label="Recorded transfers"
        columns={transferColumns}
        {...transfers}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/orders/$topUpId', params: { topUpId: id } })}
        empty={
          <EmptyState icon={<Landmark size={24} aria-hidden="true" />} title="No bank transfers yet">
            Recorded transfers of all customers appear here, newest first.
          </EmptyState>
        }
      />
    </div>
  )
}
