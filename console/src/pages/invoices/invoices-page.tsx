import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useOwnerId } from '../../api/books.ts'
import { documentsQuery } from '../../api/billing.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useWallet } from '../../app/wallet.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { documentColumns } from './document-columns.tsx'
import { kindFilter } from './kind-filter.ts'

const route = getRouteApi('/app/invoices')

/** Receipts, credit notes for refunds, and invoices. */
export function InvoicesPage() {
  const ownerId = useOwnerId(useWallet())
  return (
    <TabFrame
      title="Billing"
      tab="Invoices"
      description="Receipts, credit notes, and invoices. Issued documents never change."
    >
      {ownerId === undefined ? null : <Documents ownerId={ownerId} />}
    </TabFrame>
  )
}

function Documents({ ownerId }: { readonly ownerId: string }) {
  const { kind } = route.useSearch()
  const navigate = route.useNavigate()
  const documents = usePagedRows(useInfiniteQuery(documentsQuery(ownerId, kind === undefined ? {} : { kind })))
  return (
    <>
      <DataTable
        name="invoices"
        label="Invoices"
        columns={documentColumns}
        rowsName="documents"
        {...documents}
        rowId={({ number }) => number}
        onOpen={({ number }) => void navigate({ to: '/invoices/$number', params: { number }, search: true })}
        fields={fields}
        empty={
          <EmptyState icon={<FileText size={24} aria-hidden="true" />} title="No documents yet">
            Each payment gets a receipt, and each refund a credit note.
          </EmptyState>
        }
      />
      <Outlet />
    </>
  )
}

const fields = [kindFilter]
