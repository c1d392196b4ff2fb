import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { type BillingDocument, documentLinks, documentQuery, type Snapshot } from '../../api/billing.ts'
import { useOwnerId } from '../../api/books.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayPay } from '../../app/wallet-rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Charged } from '../../ui/charged.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { QuoteRow } from '../credits/quote-lines.tsx'
import { DocumentState } from './document-state.tsx'
import { documentName } from './document-names.ts'
import { PayButton } from './pay-button.tsx'
import { UsageByCostCenter } from './usage-by-cost-center.tsx'

/** One document as it was issued. The page recomputes its hash. */
export function InvoicePage() {
  const { number } = useParams({ from: '/app/invoices/$number' })
  const navigate = useNavigate()
  const document = useQuery(documentQuery(useOwnerId(useWallet()), number))
  return (
    <Sheet
      isOpen
      title={document.data === undefined ? number : `${documentName(document.data.kind)} ${number}`}
      onClose={() => void navigate({ to: '/invoices', search: true })}
      actions={document.data === undefined ? undefined : <Actions of={document.data} />}
    >
      {document.error === null ? null : <ErrorNote error={document.error} onRetry={() => void document.refetch()} />}
      {document.data === undefined ? (
        document.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-6 text-sm">
          <Parties of={document.data.shown} />
          <Lines of={document.data.shown} />
          <UsageByCostCenter of={document.data.shown} />
          <div>
            <DocumentState document={document.data} />
            <p className="mt-2 text-muted">
              Issued <Time iso={document.data.issued_at} absolute />
            </p>
            <Verdict isGenuine={document.data.isGenuine} sha256={document.data.sha256} />
          </div>
        </div>
      )}
    </Sheet>
  )
}

function Actions({ of: document }: { readonly of: BillingDocument }) {
  const { wallet_id: walletId, number, top_up_id: topUpId } = document
  const { page, file } = documentLinks(walletId, number)
  const wallet = useWallet()
  const isDue = document.kind === 'invoice' && document.paid_at === null && mayPay(wallet)
  return (
    <>
      {topUpId === null ? null : (
        <Link to="/credits/$topUpId" params={{ topUpId }} className={buttonClass('quiet')}>
          View order
        </Link>
      )}
      <a href={file} download className={buttonClass()}>
        Download PDF
      </a>
      <a href={page} target="_blank" rel="noopener" className={buttonClass(isDue ? 'plain' : 'primary')}>
        Print
      </a>
      {isDue ? <PayButton document={document} /> : null}
    </>
  )
}

function Parties({ of: { seller, buyer, test } }: { readonly of: Snapshot }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Party title="From" lines={[seller.name, seller.address, seller.tax_id]} />
      <Party title="To" lines={[buyer.name, buyer.address, buyer.tax_id]} />
      {test ? (
        <div>
          <Badge tone="accent">Test payment</Badge>
        </div>
      ) : null}
    </div>
  )
}

function Party({ title, lines }: { readonly title: string; readonly lines: readonly (string | null)[] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-muted text-xs">{title}</h3>
      <p className="whitespace-pre-line break-words">
        {lines.filter((line) => line !== null && line !== '').join('\n')}
      </p>
    </div>
  )
}

function Lines({ of: { lines, total, currency } }: { readonly of: Snapshot }) {
  return (
    <dl className="figures">
      {lines.map(({ label, amount }) => (
        <QuoteRow key={label} label={label}>
          <Charged amount={amount} currency={currency} />
        </QuoteRow>
      ))}
      <QuoteRow label="Total" isSum>
        <Charged amount={total} currency={currency} />
      </QuoteRow>
    </dl>
  )
}

function Verdict({ isGenuine, sha256 }: { readonly isGenuine: boolean; readonly sha256: string }) {
  return (
    <>
      <p
        data-verdict={isGenuine ? 'equal' : 'different'}
        className={`mt-2 flex items-center gap-1.5 font-medium text-xs ${isGenuine ? 'text-good' : 'text-bad'}`}
      >
        {isGenuine ? <CircleCheck size={14} aria-hidden="true" /> : <TriangleAlert size={14} aria-hidden="true" />}
        {isGenuine
          ? 'Verified: matches the document as issued'
          : "Verification failed: doesn't match the document as issued"}
      </p>
      <p className="mt-1 break-all font-mono text-muted text-xs">SHA-256 {sha256}</p>
    </>
  )
}
