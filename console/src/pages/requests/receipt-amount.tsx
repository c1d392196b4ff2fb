import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, TriangleAlert } from 'lucide-react'
import type { Transaction } from '../../api/books.ts'
import { ApiError } from '../../api/api-error.ts'
import { formatUsd, type Nano, toNano } from '../../lib/money.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Receipt } from './receipt-query.ts'
import { recompute } from './recompute.ts'

type Verdict =
  | { readonly state: 'waiting' }
  | { readonly state: 'hidden' }
  | { readonly state: 'equal'; readonly words: string }
  | { readonly state: 'differs'; readonly words: string }

/** The charged amount, and whether the ledger, the receipt and this browser agree on it. */
export function ReceiptAmount({
  receipt,
  booked,
}: {
  readonly receipt: Receipt
  readonly booked: UseQueryResult<Transaction | null>
}) {
  const charged = toNano(receipt.total_cost)
  const verdict = judge(receipt, charged, booked)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div>
          <div className="text-muted text-xs">Charged</div>
          <Money nano={charged} className="font-semibold text-xl" />
        </div>
        <VerdictNote verdict={verdict} />
        <Uncharged receipt={receipt} />
      </div>
      <HoldLine hold={receipt.hold} />
    </div>
  )
}

/** The hold: reserved before the request, then charged, with the rest released. */
function HoldLine({ hold }: { readonly hold: Receipt['hold'] }) {
  if (toNano(hold.held) === 0n) return null
  const steps = [
    ['held', 'Held', hold.held],
    ['charged', 'Charged', hold.charged],
    ['returned', 'Released', hold.returned],
  ] as const
  return (
    <ol aria-label="Hold and charge" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {steps.map(([step, label, usd]) => (
        <li key={step} data-step={step} className="group flex items-center gap-x-2">
          <ArrowRight size={14} aria-hidden="true" className="text-muted group-first:hidden" />
          <span className="text-muted">{label}</span> <Money usd={usd} />
        </li>
      ))}
    </ol>
  )
}

function VerdictNote({ verdict }: { readonly verdict: Verdict }) {
  if (verdict.state === 'waiting') return <Skeleton className="h-6 w-48" />
  if (verdict.state === 'hidden') {
    return <span className="text-muted text-sm">Your role can't view the ledger.</span>
  }
  if (verdict.state === 'differs') {
    return (
      <span
        role="alert"
        className="inline-flex items-center gap-2 rounded-md bg-bad-soft px-3 py-2 font-semibold text-bad text-sm"
      >
        <TriangleAlert size={16} aria-hidden="true" />
        {verdict.words}
      </span>
    )
  }
  return (
    <span
      data-verdict="equal"
      className="inline-flex items-center gap-1.5 rounded-md bg-good-soft px-2 py-1 font-medium text-good text-sm"
    >
      <CircleCheck size={15} aria-hidden="true" />
      {verdict.words}
    </span>
  )
}

/** The amount that was not charged, because it exceeded the available credit or a limit. */
function Uncharged({ receipt }: { readonly receipt: Receipt }) {
  if (receipt.absorbed === undefined) return null
  return (
    <span className="text-muted text-sm">
      <Money usd={receipt.absorbed} /> over your available credit or a limit wasn't charged.
    </span>
  )
}

function judge(receipt: Receipt, charged: Nano, booked: UseQueryResult<Transaction | null>): Verdict {
  if (booked.isPending) return { state: 'waiting' }
  if (booked.error !== null) {
    const isForbidden = booked.error instanceof ApiError && (booked.error.status === 403 || booked.error.status === 404)
    return isForbidden ? { state: 'hidden' } : { state: 'differs', words: "Couldn't load the ledger. Try again later." }
  }
  const ledger = booked.data === null || booked.data === undefined ? 0n : -toNano(booked.data.amount)
  if (ledger !== charged) return { state: 'differs', words: `Doesn't match: the ledger shows ${formatUsd(ledger)}.` }
  const recomputed = owed(receipt)
  if (recomputed !== null && recomputed !== charged) {
    return { state: 'differs', words: `Doesn't match: the recalculated amount is ${formatUsd(recomputed)}.` }
  }
  return { state: 'equal', words: charged === 0n ? 'Matches the ledger (no charge)' : 'Matches the ledger' }
}

/** The sum of the lines minus the absorbed amount, or null if nothing was owed. */
function owed({ receipt, refund_reason, absorbed = 0 }: Receipt): Nano | null {
  if (receipt === null || refund_reason !== null) return null
  return recompute(receipt.lines).nano - toNano(absorbed)
}
