import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { accountChanges, type JournalEntry, resultOf } from './journal.ts'

const entry = (
  kind: JournalEntry['kind'],
  debit: JournalEntry['debit'],
  credit: JournalEntry['credit'],
  nano: bigint,
) => {
  return { kind, provider: null, debit, credit, amount: nanoUsd(nano), count: 1 } satisfies JournalEntry
}

const entries = [
  entry('top_up', 'cash', 'wallet', 100n),
  entry('fee', 'cash', 'fees', 10n),
  entry('charge', 'wallet', 'usage', 60n),
  entry('grant', 'grants', 'wallet', 5n),
  entry('refund', 'wallet', 'cash', 20n),
  entry('provider_cost', 'provider_cost', 'provider_payable', 45n),
]

describe('the accounts of a month', () => {
  it('sum debits and credits of each account that is touched, in the order of the chart', () => {
    expect(accountChanges(entries).map(({ account, debits, credits }) => [account, debits, credits])).toEqual([
      ['cash', 110n, 20n],
      ['wallet', 80n, 105n],
      ['provider_payable', 0n, 45n],
      ['usage', 0n, 60n],
      ['fees', 0n, 10n],
      ['grants', 5n, 0n],
      ['provider_cost', 45n, 0n],
    ])
    expect(accountChanges([])).toEqual([])
  })

  it('sum to zero', () => {
    const changes = accountChanges(entries)
    expect(changes.reduce((net, { debits, credits }) => net + debits - credits, 0n)).toBe(0n)
  })
})

describe('the result of a month', () => {
  it('is income less expenses: assets and liabilities do not count', () => {
    expect(resultOf(entries)).toEqual({ revenue: 70n, expenses: 50n, result: 20n })
    expect(resultOf([])).toEqual({ revenue: 0n, expenses: 0n, result: 0n })
  })

  it('is a loss where providers cost more than customers paid', () => {
    const loss = [
      entry('charge', 'wallet', 'usage', 3n),
      entry('provider_cost', 'provider_cost', 'provider_payable', 5n),
    ]
    expect(resultOf(loss)).toEqual({ revenue: 3n, expenses: 5n, result: -2n })
  })

  it('falls by what is taken back', () => {
    expect(resultOf([entry('correction', 'usage', 'wallet', 4n)])).toEqual({ revenue: -4n, expenses: 0n, result: -4n })
    expect(resultOf([entry('grant_expired', 'wallet', 'grants', 4n)])).toEqual({
      revenue: 0n,
      expenses: -4n,
      result: 4n,
    })
  })
})
