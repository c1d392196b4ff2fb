import { type DaySpan, pickPeriod } from '../../lib/period.ts'
import { pickKnown } from '../../lib/pick-known.ts'

export const ledgerKinds = [
  'charge',
  'top_up',
  'grant',
  'redemption',
  'grant_expired',
  'correction',
  'refund',
  'dispute',
  'dispute_won',
  'dispute_lost',
  'write_off',
  'customer_transfer',
  'fee',
  'tax',
] as const
export type LedgerKind = (typeof ledgerKinds)[number]

export interface LedgerSearch {
  /** A month such as `2026-11`, or all time. Defaults to the current month. */
  readonly month?: string
  readonly kind?: LedgerKind
  /** The days of the transactions. Defaults to those of the statement. */
  readonly period?: DaySpan
  readonly view?: 'holds'
}

export function parseLedgerSearch({ month, kind, period, view }: Record<string, unknown>): LedgerSearch {
  return {
    ...(typeof month === 'string' && /^(?:all|\d{4}-(?:0[1-9]|1[0-2]))$/.test(month) ? { month } : {}),
    ...pickKnown('kind', ledgerKinds, kind),
    ...pickPeriod([], period),
    ...pickKnown('view', ['holds'] as const, view),
  }
}
