import type { BillingDocument } from '../../api/billing.ts'
import { formatUtcDay } from '../../lib/time.ts'

const names = {
  receipt: 'Receipt',
  credit_note: 'Credit note',
  invoice: 'Invoice',
} as const satisfies Readonly<Record<BillingDocument['kind'], string>>

export function documentName(kind: BillingDocument['kind']): string {
  return names[kind]
}

type Payable = Pick<BillingDocument, 'kind' | 'due_at' | 'paid_at' | 'suspends'>

/** For example `due 2026-12-15` or `paid`, or a note that spending is suspended until it is paid. */
export function stateInWords({ kind, due_at: dueAt, paid_at: paidAt, suspends }: Payable): string {
  if (kind !== 'invoice') return 'Settled'
  if (paidAt !== null) return 'Paid'
  if (suspends) return 'Overdue, spending blocked'
  return dueAt === null ? 'Unpaid' : `Due ${formatUtcDay(dueAt)}`
}
