import type { PaymentReading } from './payment-reading.ts'
import type { TopUpState } from './top-up.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** When a worker checks an order without a webhook, by its age. */
const firstChecksMs = [minuteMs, 5 * minuteMs, 30 * minuteMs]
const openForMs = 3 * dayMs
// Bank debits take up to two weeks to succeed or fail.
const pendingForMs = 30 * dayMs

export type NextCheck = { readonly inMs: number } | 'expire' | null

/** Returns null if no further check is needed. */
export function nextCheckOf(order: {
  readonly state: TopUpState
  readonly status: PaymentReading['status'] | null
  readonly ageMs: number
}): NextCheck {
  const { state, status, ageMs } = order
  if (state !== 'open') return null
  const first = firstChecksMs.find((checkMs) => checkMs > ageMs)
  if (first !== undefined) return { inMs: first - ageMs }
  if (ageMs < openForMs) return { inMs: hourMs }
  return status === 'pending' && ageMs < pendingForMs ? { inMs: dayMs } : 'expire'
}
