import { Link } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Statement, WalletTotals } from '../../api/books.ts'
import { type Nano, toNano } from '../../lib/money.ts'
import { monthName } from '../../lib/utc-days.ts'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { kindNames } from './kind-names.ts'
import type { LedgerKind } from './search.ts'

interface Line {
  readonly kind: LedgerKind
  readonly nano: Nano
  /** Fee or tax paid outside the wallet, which did not change the balance. */
  readonly beside?: Nano
}

/** Opening balance, a line per kind, closing balance. The page adds the lines up again. */
export function StatementCard({
  statement,
  month,
}: {
  readonly statement: Statement | undefined
  readonly month: string
}) {
  if (statement === undefined) return <Waiting title={`${monthName(month)} statement`} rows={5} />
  const lines = statement.lines.map(({ kind, amount, moved }) => {
    const isBeside = kind === 'fee' || kind === 'tax'
    return { kind, nano: toNano(amount), ...(isBeside ? { beside: toNano(moved) } : {}) }
  })
  return (
    <Sums
      title={`${monthName(month)} statement`}
      month={month}
      opening={toNano(statement.opening_balance)}
      lines={lines.filter(({ nano, beside = 0n, kind }) => nano !== 0n || beside !== 0n || kind === 'charge')}
      closing={toNano(statement.closing_balance)}
      closingLabel="Closing balance"
    />
  )
}

/** The same totals for all time. */
export function BooksCard({ books }: { readonly books: WalletTotals | undefined }) {
  if (books === undefined) return <Waiting title="All time" rows={4} />
  const lines: readonly Line[] = [
    { kind: 'top_up', nano: toNano(books.paid) },
    { kind: 'grant', nano: toNano(books.granted) },
    { kind: 'redemption', nano: toNano(books.redeemed) },
    { kind: 'grant_expired', nano: toNano(books.expired) },
    { kind: 'correction', nano: toNano(books.corrected) },
    { kind: 'refund', nano: toNano(books.refunded) },
    { kind: 'dispute', nano: toNano(books.disputed) },
    { kind: 'write_off', nano: toNano(books.written_off) },
    { kind: 'charge', nano: -toNano(books.charged) },
  ]
  return (
    <Sums
      title="All time"
      month="all"
      lines={lines.filter(({ nano, kind }) => nano !== 0n || kind === 'charge')}
      closing={toNano(books.balance)}
      closingLabel="Balance"
    />
  )
}

function Sums({
  title,
  month,
  opening,
  lines,
  closing,
  closingLabel,
}: {
  readonly title: string
  readonly month: string
  readonly opening?: Nano
  readonly lines: readonly Line[]
  readonly closing: Nano
  readonly closingLabel: string
}) {
  const sum = lines.reduce((total, { nano }) => total + nano, opening ?? 0n)
  return (
    <Card title={title} aside={<Check isEqual={sum === closing} />}>
      <dl className="figures mx-auto max-w-2xl">
        {opening === undefined ? null : <Row label="Opening balance" amount={<Money nano={opening} />} />}
        {lines.map(({ kind, nano, beside }) => (
          <Row
            key={kind}
            label={
              <Link
                to="/ledger"
                search={{ month, kind }}
                className="rounded underline decoration-line-strong underline-offset-4 hover:decoration-accent"
              >
                {kindNames(kind)}
              </Link>
            }
            amount={
              beside === undefined ? (
                <Money nano={nano} />
              ) : (
                <span className="text-muted">
                  (<Money nano={beside} />)
                </span>
              )
            }
          />
        ))}
        <Row label={closingLabel} amount={<Money nano={closing} />} isSum />
      </dl>
    </Card>
  )
}

function Row({
  label,
  amount,
  isSum = false,
}: {
  readonly label: ReactNode
  readonly amount: ReactNode
  readonly isSum?: boolean
}) {
  return (
    <div
      className={`flex justify-between gap-4 py-2 ${isSum ? 'border-line-strong border-t font-semibold' : 'border-line border-b last:border-b-0'}`}
    >
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  )
}

function Check({ isEqual }: { readonly isEqual: boolean }) {
  return isEqual ? (
    <span data-verdict="equal" className="inline-flex items-center gap-1.5 font-medium text-good text-xs">
      <CircleCheck size={14} aria-hidden="true" />
      Totals match
    </span>
  ) : (
    <span role="alert" className="inline-flex items-center gap-1.5 font-semibold text-bad text-xs">
      <TriangleAlert size={14} aria-hidden="true" />
      Totals don't match
    </span>
  )
}

function Waiting({ title, rows }: { readonly title: string; readonly rows: number }) {
  return (
    <Card title={title}>
      <div className="mx-auto flex max-w-2xl flex-col gap-4 py-2">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} className="h-5 w-full" />
        ))}
      </div>
    </Card>
  )
}
