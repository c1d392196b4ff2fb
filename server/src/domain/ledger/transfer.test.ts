import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { quoteTopUp } from '#domain/money/quote-top-up.ts'
import { grantTransfers, topUpTransfers } from './transfer.ts'

describe('a top-up', () => {
  it('[MONEY-05] [MONEY-06] is paid in cash, and the credit alone reaches the wallet', () => {
    expect(topUpTransfers(quoteTopUp(parseUsd('100'), 'local'))).toEqual([
      { kind: 'top_up', debit: 'cash', credit: 'wallet', amount: 100_000_000_000n },
      { kind: 'fee', debit: 'cash', credit: 'fees', amount: 10_000_000_000n },
      { kind: 'tax', debit: 'cash', credit: 'tax', amount: 5_000_000_000n },
    ])
  })

  it.each([0n, -1n])('of %i nano-dollars moves nothing, which is our own mistake', (nano) => {
    const amount = nanoUsd(nano)
    const quote = { credit: amount, lines: [{ item: 'fee' as const, amount, percent: 10 }], total: amount }
    expect(() => topUpTransfers(quote)).toThrow('a transfer moves something')
  })
})

describe('a grant', () => {
  it('comes from the service, not from cash', () => {
    expect(grantTransfers(parseUsd('7'))).toEqual([
      { kind: 'grant', debit: 'grants', credit: 'wallet', amount: 7_000_000_000n },
    ])
  })

  it.each([0n, -1n])('of %i nano-dollars is our own mistake', (amount) => {
    expect(() => grantTransfers(nanoUsd(amount))).toThrow('a transfer moves something')
  })
})
