import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { statementQuery, useOwnerId } from '../../api/books.ts'
import { useWallet } from '../../app/wallet.ts'
import { seesBooks } from '../../app/wallet-rights.ts'
import { type ExactNumber, formatUsd, toNano } from '../../lib/money.ts'
import { monthName } from '../../lib/utc-days.ts'

/** Compares the sum of a month with the charges in the ledger. Renders nothing if the role cannot see the ledger. */
export function LedgerCheck({ month, spend }: { readonly month: string; readonly spend: ExactNumber }) {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const statement = useQuery({
    ...statementQuery(ownerId, month),
    enabled: seesBooks(wallet) && ownerId !== undefined,
  })
  if (statement.data === undefined) return null
  const charged = statement.data.lines.find(({ kind }) => kind === 'charge')
  const booked = charged === undefined ? 0n : -toNano(charged.amount)
  if (booked === toNano(spend)) {
    return (
      <span
        data-verdict="equal"
        className="inline-flex items-center gap-1.5 rounded-md bg-good-soft px-2 py-1 font-medium text-good text-sm"
      >
        <CircleCheck size={15} aria-hidden="true" />
        Matches the {monthName(month)} ledger
      </span>
    )
  }
  return (
    <span className="inline-flex items-center gap-1.5 rounded-md bg-warn-soft px-2 py-1 font-medium text-sm text-warn">
      <TriangleAlert size={15} aria-hidden="true" />
      The ledger shows {formatUsd(booked)}. Usage totals can lag by a few seconds.
    </span>
  )
}
