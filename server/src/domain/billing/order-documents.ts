import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { type Minor, minor } from '../payments/currency.ts'
import { sumOfKind } from '../payments/judge-payment.ts'
import type { PaymentEffect } from '../payments/payment-effect.ts'
import { splitUnits, takenOf } from '../payments/split-payment.ts'
import { noSums, type PaymentSums, type TopUp } from '../payments/top-up.ts'
import type { DocumentKind, DocumentLine } from './billing-document.ts'

/** The fields of an order that its documents need. */
export type DocumentedOrder = Pick<TopUp, 'charged' | 'booked' | 'percents'>

/** A booked effect of an order, at its position. */
export interface BookedEffect extends Pick<PaymentEffect, 'kind' | 'sum'> {
  readonly position: number
}

interface OrderDocument {
  /** The position of its effect. */
  readonly position: number
  readonly kind: Exclude<DocumentKind, 'invoice'>
  readonly lines: readonly DocumentLine[]
  readonly total: Minor
  readonly totalUsd: NanoUsd
}

/**
 * The documents of an order's effects, in booking order. A payment has a receipt. Permanently returned money has credit
 * notes: refunds, and lost disputes; a refund that failed later has a credit note that reverses it. Each amount is the
 * difference of two sums, so that receipt and credit notes add up to the kept amount, to the cent.
 */
export function documentsOf(order: DocumentedOrder, effects: readonly BookedEffect[]): readonly OrderDocument[] {
  let sums: PaymentSums = noSums
  return effects.flatMap(({ kind, sum, position }): OrderDocument[] => {
    const before = sums
    sums = { ...sums, [sumOfKind[kind]]: sum }
    if (kind === 'payment') return [documentOf('receipt', position, linesOf(order, sums.paid, sums.paid))]
    const lines = difference(linesOf(order, goneOf(before), sums.paid), linesOf(order, goneOf(sums), sums.paid))
    return lines.length === 0 ? [] : [documentOf('credit_note', position, lines)]
  })
}

/** The permanently returned amount, at most the paid amount. An open dispute does not count. */
function goneOf({ paid, refunded, returned, lost }: PaymentSums): Minor {
  const gone = refunded - returned + lost
  return gone < paid ? minor(gone) : paid
}

const labels = { credit: 'Credit', fee: 'Service fee', tax: 'Tax' } as const
const items = ['credit', 'fee', 'tax'] as const

/** Splits a portion of a payment in the same proportions as the whole. */
function linesOf({ charged, booked, percents }: DocumentedOrder, amount: Minor, paid: Minor): readonly DocumentLine[] {
  const units = splitUnits(amount, charged)
  const usd = takenOf(booked, { paid, gone: amount })
  return items.map((item) => ({
    item,
    label: labels[item],
    amount: minor(units[item]),
    amountUsd: usd[item],
    percent: item === 'credit' ? null : (percents?.[item] ?? null),
  }))
}

function difference(less: readonly DocumentLine[], from: readonly DocumentLine[]): readonly DocumentLine[] {
  return less.flatMap((line, index) => {
    const amount = line.amount - (from[index]?.amount ?? 0n)
    const amountUsd = line.amountUsd - (from[index]?.amountUsd ?? 0n)
    return amount === 0n && amountUsd === 0n ? [] : [{ ...line, amount: minor(amount), amountUsd: nanoUsd(amountUsd) }]
  })
}

function documentOf(kind: OrderDocument['kind'], position: number, all: readonly DocumentLine[]): OrderDocument {
  const lines = all.filter(({ amount, amountUsd }) => amount !== 0n || amountUsd !== 0n)
  return { kind, position, lines, ...totalsOf(lines) }
}

export function totalsOf(lines: readonly DocumentLine[]): Pick<OrderDocument, 'total' | 'totalUsd'> {
  return {
    total: minor(lines.reduce((sum, { amount }) => sum + amount, 0n)),
    totalUsd: nanoUsd(lines.reduce((sum, { amountUsd }) => sum + amountUsd, 0n)),
  }
}
