import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { allDocumentsQuery, type OperatedDocument } from '../../api/operator.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { documentColumns } from '../invoices/document-columns.tsx'
import { kindFilter } from '../invoices/kind-filter.ts'
import { CustomerLink, customerWords } from './customer-link.tsx'
import { DocumentFile } from './document-file.tsx'
import { walletFilter } from './order-fields.ts'

const route = getRouteApi('/app/operator/invoices')

const fields: readonly FilterField[] = [kindFilter, walletFilter]

/** Documents of all wallets. */
export function AllInvoicesPage() {
  const { kind, wallet } = route.useSearch()
  const documents = usePagedRows(
    useInfiniteQuery(
      allDocumentsQuery({ ...(kind === undefined ? {} : { kind }), ...(wallet === undefined ? {} : { wallet }) }),
    ),
  )
  return (
    <Page title="Invoices" description="Receipts, credit notes, and invoices of all customers, newest first.">
      <DataTable
        name="all-invoices"
        label="Invoices"
        columns={columns}
        rowsName="documents"
        {...documents}
        rowId={({ number }) => number}
        fields={fields}
        empty={
          <EmptyState icon={<FileText size={24} aria-hidden="true" />} title="No documents yet">
            A receipt is issued for each payment. Organizations on monthly billing get an invoice on the first of the
            month.
          </EmptyState>
        }
      />
    </Page>
  )
}

const shared = documentColumns.filter(({ id }) => id !== 'number' && id !== 'files')

const columns: readonly Column<OperatedDocument>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: ({ number }) => <code className="font-mono text-xs">{number}</code>,
    csv: ({ number }) => number,
    width: 240,
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
  },
  ...shared.map((column) => (column.id === 'kind' ? { ...column, width: 120 } : column)),
  {
    id: 'file',
    header: 'File',
    cell: ({ number }) => <DocumentFile number={number} />,
    csv: ({ number }) => number,
    align: 'right',
    width: 100,
  },
]
