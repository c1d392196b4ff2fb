import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WalletTotals } from '../../api/books.ts'
import type { Wallet } from '../../app/wallet.ts'
import { seesBooks } from '../../app/wallet-rights.ts'
import { type Nano, toNano } from '../../lib/money.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { LedgerKind } from '../ledger/search.ts'

interface Part {
  readonly label: string
  readonly sign: '+' | '−'
  readonly nano: Nano
  /** The ledger rows that add up to this sum. */
  readonly kind?: LedgerKind | 'holds'
}

/** The available balance and the sums behind it. Each sum links to its ledger rows. */
export function BalanceCard({
  wallet,
  books,
}: {
  readonly wallet: Wallet
  readonly books: UseQueryResult<WalletTotals>
}) {
  if (!seesBooks(wallet)) return <NotForYou wallet={wallet} />
  if (books.error !== null) return <ErrorNote error={books.error} onRetry={() => void books.refetch()} />
  const { data } = books
  return (
    <Card>
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        <div className="min-w-40">
          <div className="text-muted text-xs">Available credit</div>
          <div className="mt-1 h-7 font-semibold text-xl">
            {data === undefined ? <Skeleton className="h-6 w-32" /> : <Money usd={data.available} short />}
          </div>
        </div>
        <dl className="grid grow grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-8">
          {data === undefined ? <WaitingParts /> : partsOf(data).map((part) => <PartOf key={part.label} {...part} />)}
        </dl>
      </div>
    </Card>
  )
}

/** Sums that are zero for most wallets. */
const rare = [
  { name: 'redeemed', label: 'Code redemptions', sign: '+', kind: 'redemption' },
  { name: 'expired', label: 'Expired credit', sign: '+', kind: 'grant_expired' },
  { name: 'corrected', label: 'Corrections', sign: '+', kind: 'correction' },
  { name: 'refunded', label: 'Refunds', sign: '+', kind: 'refund' },
  { name: 'disputed', label: 'Disputes', sign: '+', kind: 'dispute' },
  { name: 'written_off', label: 'Write-offs', sign: '+', kind: 'write_off' },
] as const satisfies readonly (Omit<Part, 'nano'> & { readonly name: keyof WalletTotals })[]

function partsOf(books: WalletTotals): readonly Part[] {
  const line = toNano(books.credit_line)
  const aside = toNano(books.in_customer_balances)
  return [
    { label: 'Top-ups', sign: '+', nano: toNano(books.paid), kind: 'top_up' },
    { label: 'Grants', sign: '+', nano: toNano(books.granted), kind: 'grant' },
    ...rare.flatMap(({ name, ...part }): Part[] => {
      const nano = toNano(books[name])
      return nano === 0n ? [] : [{ ...part, nano }]
    }),
    { label: 'Charges', sign: '−', nano: toNano(books.charged), kind: 'charge' },
    { label: 'Holds', sign: '−', nano: toNano(books.held) - aside, kind: 'holds' },
    ...(aside === 0n
      ? []
      : [{ label: 'Customer balances', sign: '−', nano: aside, kind: 'customer_transfer' } as const satisfies Part]),
    ...(line === 0n ? [] : [{ label: 'Credit line', sign: '+', nano: line } as const satisfies Part]),
  ]
}

function PartOf({ label, sign, nano, kind }: Part) {
  const amount = <Money nano={nano} />
  return (
    <div>
      <dt className="text-muted text-xs">
        <span aria-hidden="true">{sign} </span>
        {label}
      </dt>
      <dd className="mt-1 leading-7">
        {kind === undefined ? (
          amount
        ) : (
          <Link
            to="/ledger"
            search={kind === 'holds' ? { month: 'all', view: 'holds' } : { month: 'all', kind }}
            className="rounded underline decoration-line-strong underline-offset-4 hover:decoration-accent"
          >
            {amount}
          </Link>
        )}
      </dd>
    </div>
  )
}

function WaitingParts() {
  return ['Top-ups', 'Grants', 'Charges', 'Holds'].map((label) => (
    <div key={label}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="mt-1 h-7">
        <Skeleton className="h-5 w-24" />
      </dd>
    </div>
  ))
}

function NotForYou({ wallet }: { readonly wallet: Wallet }) {
  return (
    <Card title={wallet.name}>
      <p className="text-muted text-sm">
        Your role can't view this balance. Ask an organization admin for the billing viewer role. Your own requests and
        usage are below.
      </p>
    </Card>
  )
}
