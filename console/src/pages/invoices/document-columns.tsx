import { Link } from '@tanstack/react-router'
import { type BillingDocument, documentLinks } from '../../api/billing.ts'
import { Charged } from '../../ui/charged.tsx'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { DocumentState } from './document-state.tsx'
import { documentName, stateInWords } from './document-names.ts'

const linkClass = 'underline decoration-line-strong underline-offset-4 hover:decoration-accent'

export const documentColumns: readonly Column<BillingDocument>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: ({ number }) => (
      <Link to="/invoices/$number" params={{ number }} search={true} className={`font-mono text-xs ${linkClass}`}>
        {number}
      </Link>
    ),
    csv: ({ number }) => number,
    width: 240,
  },
  {
    id: 'kind',
    header: 'Type',
    cell: ({ kind }) => documentName(kind),
    csv: ({ kind }) => documentName(kind),
  },
  {
    id: 'issued',
    header: 'Issued',
    cell: ({ issued_at: at }) => <Time iso={at} absolute />,
    csv: ({ issued_at: at }) => at,
    width: 220,
  },
  {
    id: 'total',
    header: 'Total',
    cell: ({ total, currency }) => <Charged amount={total} currency={currency} />,
    csv: ({ total, currency }) => `${total} ${currency}`,
    align: 'right',
    width: 150,
  },
  {
    id: 'state',
    header: 'Status',
    cell: (document) => <DocumentState document={document} />,
    csv: (document) => stateInWords(document),
    width: 170,
  },
  {
    id: 'files',
    header: 'Files',
    cell: ({ wallet_id: walletId, number }) => {
      const { page, file } = documentLinks(walletId, number)
      return (
        <span className="flex justify-end gap-3">
          <a href={page} target="_blank" rel="noopener" className={linkClass}>
            Print
          </a>
          <a href={file} download className={linkClass}>
            PDF
          </a>
        </span>
      )
    },
    align: 'right',
    width: 130,
  },
]
