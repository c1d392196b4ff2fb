import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { minor } from '../payments/currency.ts'
import { nanoPerCent, percentOf } from '../payments/quote-top-up.ts'
import type { DocumentLine, LineItem } from './billing-document.ts'

/** What a month of an organization comes to. */
export interface MonthFigures {
  /** All charges of the month. */
  readonly usage: readonly CostCenterUsage[]
  /** What the wallet owes at the end of the month and no open invoice asks for; below zero: credit is left. */
  readonly owed: NanoUsd
}

export interface CostCenterUsage {
  /** Null: of teams without one, and of no team. */
  readonly costCenter: string | null
  readonly amount: NanoUsd
}

export interface InvoiceDraft {
  /** None where nothing is due. Their amounts are whole cents. */
  readonly lines: readonly DocumentLine[]
  /** Exact, before rounding. Usage and balance are what is due without tax, and what is carried. */
  readonly balance: NanoUsd
  /** What is due without tax. */
  readonly credit: NanoUsd
  readonly tax: NanoUsd
  /** Owed and not billed: less than a cent, or below zero where credit is left. The next month begins with it. */
  readonly carried: NanoUsd
}

/**
 * The invoice of a month. What is owed is billed down to whole cents, and the rest is carried. A line for the balance
 * stands for all that was owed or left before the month. Lines are rounded down to a cent each; the cents that are then
 * missing go to the lines that lost most, the first of equals first.
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
  /** Beyond the cents, at least nothing and less than a cent. */
  readonly rest: bigint
}

/** A balance may be below zero; its cents are then the next below. */
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
