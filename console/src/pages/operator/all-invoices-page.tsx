import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useMemo } from 'react'
import type { BillingDocument } from '../../api/billing.ts'
import { allDocumentsQuery } from '../../api/operator.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { documentColumns } from '../invoices/document-columns.tsx'
import { documentName } from '../invoices/document-names.ts'
import { documentKinds } from '../invoices/search.ts'
import type { AllInvoicesSearch } from './search.ts'
import { WalletField } from './wallet-field.tsx'

const route = getRouteApi('/app/operator/invoices')

const kinds = [
  { value: '', label: 'All documents' },
  ...documentKinds.map((value) => ({ value, label: `${documentName(value)}s` })),
]

/** Documents of all wallets. Only their owners see the contents. */
export function AllInvoicesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { kind, wallet } = search
  const documents = useInfiniteQuery(
    allDocumentsQuery({ ...(kind === undefined ? {} : { kind }), ...(wallet === undefined ? {} : { wallet }) }),
  )
  const rows = useMemo(() => documents.data?.pages.flatMap(({ data }) => data), [documents.data])
  const change = (next: { readonly [Name in keyof AllInvoicesSearch]: AllInvoicesSearch[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as AllInvoicesSearch, replace: true })
  return (
    <Page title="All invoices" description="Receipts, credit notes, and invoices for all accounts, newest first.">
      <DataTable
        name="all-invoices"
        label="All invoices"
        columns={columns}
        rows={rows}
        rowId={({ number }) => number}
        error={documents.error}
        onRetry={() => void documents.refetch()}
        hasMore={documents.hasNextPage && !documents.isFetchingNextPage}
        onMore={() => void documents.fetchNextPage()}
        filters={
          <>
            <div className="w-44">
              <SelectField
                label="Type"
                isLabelHidden
                choices={kinds}
                value={kind ?? ''}
                onChange={({ target }) => change({ kind: documentKinds.find((one) => one === target.value) })}
              />
            </div>
            <WalletField
              key={wallet}
              wallet={wallet ?? ''}
              onChange={(next) => change({ wallet: next === '' ? undefined : next })}
            />
          </>
        }
        empty={
          <EmptyState icon={<FileText size={24} aria-hidden="true" />} title="No matching documents">
            A receipt is issued for each payment. Organizations on monthly billing get an invoice on the first of the
            month.
          </EmptyState>
        }
      />
    </Page>
  )
}

const shared = documentColumns.filter(({ id }) => id !== 'number' && id !== 'files')

const columns: readonly Column<BillingDocument>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: ({ number }) => <code className="font-mono text-xs">{number}</code>,
    csv: ({ number }) => number,
    width: 240,
  },
  {
    id: 'wallet',
    header: 'Account',
    cell: ({ wallet_id: wallet }) => (
      <Link
        to="/operator/invoices"
        search={{ wallet }}
        className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {wallet}
      </Link>
    ),
    csv: ({ wallet_id: wallet }) => wallet,
  },
  ...shared.map((column) => (column.id === 'kind' ? { ...column, width: 120 } : column)),
]
