import { expect, it } from 'vitest'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type JournalEntry, resultOf } from '#domain/accounting/journal.ts'
import { restOf, splitRevenue } from './split-revenue.ts'

const entry = (
  kind: JournalEntry['kind'],
  debit: JournalEntry['debit'],
  credit: JournalEntry['credit'],
  nano: bigint,
) => {
  return { kind, provider: null, debit, credit, amount: nanoUsd(nano), count: 1 } satisfies JournalEntry
}

const sums = (requests: number, charged: bigint, cost: bigint) => {
  return { requests, charged: nanoUsd(charged), absorbed: zeroUsd, providerCost: nanoUsd(cost) }
}

const entries = [
  entry('top_up', 'cash', 'wallet', 100n),
  entry('fee', 'cash', 'fees', 10n),
  entry('tax', 'cash', 'tax', 21n),
  entry('charge', 'wallet', 'usage', 60n),
  entry('correction', 'usage', 'wallet', 4n),
  entry('grant', 'grants', 'wallet', 5n),
  entry('refund', 'wallet', 'cash', 20n),
  entry('refund', 'fees', 'cash', 2n),
  entry('dispute', 'disputed', 'cash', 15n),
  entry('write_off', 'losses', 'wallet', 3n),
  entry('processor_fee', 'processor', 'cash', 1n),
  entry('provider_cost', 'provider_cost', 'provider_payable', 45n),
]

it('splits a month into its income and expenses, whose sum is the result', () => {
  const split = splitRevenue(entries)
  expect(split).toEqual({
    usage: 56n,
    fees: 8n,
    providerCost: 45n,
    promotions: 5n,
    badDebts: 3n,
    processing: 1n,
    received: 108n,
    tax: 21n,
    result: 10n,
  })
  expect(split.result).toBe(resultOf(entries).result)
  expect(splitRevenue([]).result).toBe(0n)
})

it('groups, the others and the unattributed part sum to the ledger', () => {
  const total = { ...sums(9, 50n, 40n), absorbed: nanoUsd(7n) }
  const rows = [{ ...sums(4, 30n, 20n), absorbed: nanoUsd(3n) }, sums(3, 15n, 12n)]
  expect(restOf(nanoUsd(56n), { total, rows })).toEqual({
    others: { requests: 2, charged: 5n, absorbed: 4n, providerCost: 8n },
    unattributed: 6n,
  })
})
