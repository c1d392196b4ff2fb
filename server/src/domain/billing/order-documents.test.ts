import { expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { minor } from '../payments/currency.ts'
import type { EffectKind } from '../payments/payment-effect.ts'
import { type BookedEffect, documentsOf, type DocumentedOrder } from './order-documents.ts'

/** $100 of credit, a fee of 10 % and a tax of 5 %, paid in yuan at 7.25. */
const order: DocumentedOrder = {
  charged: { credit: minor(72_500n), fee: minor(7_250n), tax: minor(3_625n), total: minor(83_375n) },
  booked: { credit: parseUsd('100'), fee: parseUsd('10'), tax: parseUsd('5') },
  percents: { fee: 10, tax: 5 },
}

const effectsOf = (...booked: [EffectKind, bigint][]): BookedEffect[] =>
  booked.map(([kind, sum], position) => ({ kind, sum: minor(sum), position }))

const shown = (effects: BookedEffect[]) =>
  documentsOf(order, effects).map(({ kind, total, totalUsd, lines }) => [
    kind,
    total,
    totalUsd / 10_000_000n,
    ...lines.map(({ item, amount }) => `${item} ${amount}`),
  ])

it('[P15] a payment has a receipt with its lines as they were quoted, and their percentages', () => {
  const [receipt, ...others] = documentsOf(order, effectsOf(['payment', 83_375n], ['processor_fee', 310n]))
  expect(others).toEqual([])
  expect(receipt).toMatchObject({
    kind: 'receipt',
    position: 0,
    total: 83_375n,
    totalUsd: parseUsd('115'),
    lines: [
      { item: 'credit', amount: 72_500n, amountUsd: parseUsd('100'), percent: null },
      { item: 'fee', amount: 7_250n, amountUsd: parseUsd('10'), percent: 10 },
      { item: 'tax', amount: 3_625n, amountUsd: parseUsd('5'), percent: 5 },
    ],
  })
})

it('[P15] a part that costs nothing has no line', () => {
  const untaxed = {
    charged: { credit: minor(2_500n), fee: minor(250n), tax: minor(0n), total: minor(2_750n) },
    booked: { credit: parseUsd('25'), fee: parseUsd('2.5'), tax: parseUsd('0') },
    percents: null,
  }
  const [receipt] = documentsOf(untaxed, effectsOf(['payment', 2_750n]))
  expect(receipt?.lines.map(({ item, percent }) => [item, percent])).toEqual([
    ['credit', null],
    ['fee', null],
  ])
})

it('[P15] receipt and credit notes add up to nothing once all went back, in whatever parts', () => {
  const parts = [1n, 333n, 10_000n, 27_777n, 83_374n, 83_375n]
  const documents = documentsOf(
    order,
    effectsOf(['payment', 83_375n], ...parts.map((sum): [EffectKind, bigint] => ['refund', sum])),
  )
  expect(documents).toHaveLength(7)
  expect(documents.reduce((sum, { total }) => sum + total, 0n)).toBe(0n)
  expect(documents.reduce((sum, { totalUsd }) => sum + totalUsd, 0n)).toBe(0n)
  for (const item of ['credit', 'fee', 'tax']) {
    const lines = documents.flatMap((document) => document.lines.filter((line) => line.item === item))
    expect(
      lines.reduce((sum, { amount }) => sum + amount, 0n),
      item,
    ).toBe(0n)
    expect(
      lines.reduce((sum, { amountUsd }) => sum + amountUsd, 0n),
      item,
    ).toBe(0n)
  }
})

it('[P15] a refund that failed after all is taken back by a document over the same amount', () => {
  expect(shown(effectsOf(['payment', 83_375n], ['refund', 8_338n], ['refund_returned', 8_338n])).slice(1)).toEqual([
    ['credit_note', -8_338n, -1_150n, 'credit -7250', 'fee -725', 'tax -363'],
    ['credit_note', 8_338n, 1_150n, 'credit 7250', 'fee 725', 'tax 363'],
  ])
})

it('[P15] a dispute has no document before it is lost, and none where it is won', () => {
  const open = effectsOf(['payment', 83_375n], ['dispute', 83_375n])
  expect(shown(open)).toHaveLength(1)
  expect(shown([...open, { kind: 'dispute_won', sum: minor(83_375n), position: 2 }])).toHaveLength(1)
  expect(shown([...open, { kind: 'dispute_lost', sum: minor(83_375n), position: 2 }]).slice(1)).toEqual([
    ['credit_note', -83_375n, -11_500n, 'credit -72500', 'fee -7250', 'tax -3625'],
  ])
})

it('[P15] credit notes never exceed what was paid', () => {
  const twice = effectsOf(['payment', 83_375n], ['refund', 83_375n], ['dispute', 83_375n], ['dispute_lost', 83_375n])
  expect(shown(twice).map(([, total]) => total)).toEqual([83_375n, -83_375n])
})

it('[P15] a credit note has lines that are less than the smallest coin, because their dollars count', () => {
  // $115 as 115 of a currency without cents. One of it went back: 87 cents of credit, 9 of the fee and 4 of the tax.
  const coarse: DocumentedOrder = {
    charged: { credit: minor(100n), fee: minor(10n), tax: minor(5n), total: minor(115n) },
    booked: order.booked,
    percents: null,
  }
  const [, note] = documentsOf(coarse, effectsOf(['payment', 115n], ['refund', 1n]))
  expect(note?.lines.map(({ item, amount, amountUsd }) => [item, amount, amountUsd / 10_000_000n])).toEqual([
    ['credit', -1n, -87n],
    ['fee', 0n, -9n],
    ['tax', 0n, -4n],
  ])
  expect([note?.total, note?.totalUsd]).toEqual([-1n, -1_000_000_000n])
})
