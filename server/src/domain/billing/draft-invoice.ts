import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { minor } from '../payments/currency.ts'
import { nanoPerCent, percentOf } from '../payments/quote-top-up.ts'
import type { DocumentLine, LineItem } from './billing-document.ts'

/** The billing figures of an organization's month. */
export interface MonthFigures {
  /** All charges of the month. */
  readonly usage: readonly CostCenterUsage[]
  /** The wallet's debt at the end of the month that no open invoice covers; negative if credit is left. */
  readonly owed: NanoUsd
}

export interface CostCenterUsage {
  /** Null for usage of teams without a cost center, and of no team. */
  readonly costCenter: string | null
  readonly amount: NanoUsd
}

export interface InvoiceDraft {
  /** Empty if nothing is due. Amounts are whole cents. */
  readonly lines: readonly DocumentLine[]
  /** Exact, before rounding. Usage plus balance equals the amount due without tax plus the carried amount. */
  readonly balance: NanoUsd
  /** The amount due without tax. */
  readonly credit: NanoUsd
  readonly tax: NanoUsd
  /** The debt that is not billed: less than a cent, or negative if credit is left. It is carried to the next month. */
  readonly carried: NanoUsd
}

/**
 * Drafts the invoice of a month. The debt is billed in whole cents, and the rest is carried. The balance line covers
 * all debt or credit from before the month. Each line is rounded down to a cent; the missing cents go to the lines with
 * the largest rests, and on a tie to the earlier line.
 */
export function draftInvoice({ usage, owed }: MonthFigures, taxPercent: number): InvoiceDraft {
  const balance = nanoUsd(owed - usage.reduce((sum, { amount }) => sum + amount, 0n))
  const cents = owed > 0n ? owed / nanoPerCent : 0n
  const credit = nanoUsd(cents * nanoPerCent)
  const carried = nanoUsd(owed - credit)
  if (credit === 0n) return { lines: [], balance, credit, tax: zeroUsd, carried }
  const tax = percentOf(credit, taxPercent)
  const lines = roundTo(cents, [
    ...usage.map(({ costCenter, amount }) => exactLine('usage', labelOf(costCenter), amount)),
    ...(balance === 0n ? [] : [exactLine('balance', 'Balance from previous months', balance)]),
  ])
  const taxLine = { ...lineOf('tax', 'Tax', tax / nanoPerCent), percent: taxPercent }
  return { lines: tax === 0n ? lines : [...lines, taxLine], balance, credit, tax, carried }
}

function labelOf(costCenter: string | null): string {
  return costCenter === null ? 'Usage without a cost center' : `Usage, cost center ${costCenter}`
}

interface ExactLine {
  readonly item: LineItem
  readonly label: string
  readonly cents: bigint
  /** The fraction beyond whole cents: at least zero and less than a cent. */
  readonly rest: bigint
}

/** A balance may be negative; it is then rounded down to the next lower cent. */
function exactLine(item: LineItem, label: string, amount: bigint): ExactLine {
  const rest = ((amount % nanoPerCent) + nanoPerCent) % nanoPerCent
  return { item, label, cents: (amount - rest) / nanoPerCent, rest }
}

function roundTo(total: bigint, lines: readonly ExactLine[]): DocumentLine[] {
  const missing = total - lines.reduce((sum, { cents }) => sum + cents, 0n)
  assert(missing >= 0n && missing <= lines.length, 'rounding loses less than a cent on each line')
  const byLoss = lines.toSorted((left, right) => (left.rest < right.rest ? 1 : left.rest > right.rest ? -1 : 0))
  const raised = new Set(byLoss.slice(0, Number(missing)))
  return lines.map((line) => lineOf(line.item, line.label, line.cents + (raised.has(line) ? 1n : 0n)))
}

function lineOf(item: LineItem, label: string, cents: bigint): DocumentLine {
  return { item, label, amount: minor(cents), amountUsd: nanoUsd(cents * nanoPerCent), percent: null }
}
