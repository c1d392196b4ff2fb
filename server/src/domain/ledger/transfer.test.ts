import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { quoteTopUp } from '#domain/payments/quote-top-up.ts'
import {
  expiryTransfers,
  grantedBy,
  grantTransfers,
  ownerKinds,
  redemptionTransfers,
  topUpTransfers,
  type Transfer,
  transferKinds,
  writeOffTransfers,
} from './transfer.ts'

describe('a top-up', () => {
  it('[MONEY-05] [MONEY-06] is paid in cash, and the credit alone reaches the wallet', () => {
    expect(topUpTransfers(quoteTopUp(parseUsd('100'), 'local', { feePercent: 10, taxPercent: 5 }))).toEqual([
      { kind: 'top_up', debit: 'cash', credit: 'wallet', amount: 100_000_000_000n },
      { kind: 'fee', debit: 'cash', credit: 'fees', amount: 10_000_000_000n },
      { kind: 'tax', debit: 'cash', credit: 'tax', amount: 5_000_000_000n },
    ])
  })

  it.each([0n, -1n])('of %i nano-dollars moves nothing, which is our own mistake', (nano) => {
    const amount = nanoUsd(nano)
    expect(() => topUpTransfers({ lines: [{ item: 'fee', amount, percent: 10 }] })).toThrow(
      'a transfer moves something',
    )
  })
})

describe('what may expire', () => {
  const grant = { kind: 'grant', debit: 'grants', credit: 'wallet', amount: nanoUsd(7n) } as const
  const others: readonly Transfer[] = [
    { kind: 'top_up', debit: 'cash', credit: 'wallet', amount: nanoUsd(1n) },
    { kind: 'grant_expired', debit: 'wallet', credit: 'grants', amount: nanoUsd(1n) },
    { kind: 'grant', debit: 'grants', credit: 'fees', amount: nanoUsd(1n) },
  ]

  it('is the sum of what was granted', () => {
    expect(grantedBy([grant, grant])).toBe(14n)
    expect(grantedBy([])).toBe(0n)
  })

  it.each(others)('is nothing where $kind from $debit to $credit is among it', (other) => {
    expect(() => grantedBy([grant, other])).toThrow('only what was not paid for expires')
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

describe('credit by a code, and credit that has expired', () => {
  it('move between the grants and the wallet', () => {
    expect(redemptionTransfers(parseUsd('7'))).toEqual([
      { kind: 'redemption', debit: 'grants', credit: 'wallet', amount: 7_000_000_000n },
    ])
    expect(expiryTransfers(parseUsd('7'))).toEqual([
      { kind: 'grant_expired', debit: 'wallet', credit: 'grants', amount: 7_000_000_000n },
    ])
  })

  it.each([0n, -1n])('of %i nano-dollars are our own mistake', (amount) => {
    expect(() => redemptionTransfers(nanoUsd(amount))).toThrow('a transfer moves something')
    expect(() => expiryTransfers(nanoUsd(amount))).toThrow('a transfer moves something')
  })

  it('is what was given and not paid for', () => {
    expect(grantedBy([...grantTransfers(parseUsd('2')), ...redemptionTransfers(parseUsd('3'))])).toBe(parseUsd('5'))
    expect(() => grantedBy(writeOffTransfers(parseUsd('1')))).toThrow('only what was not paid for expires')
    expect(() => grantedBy(expiryTransfers(parseUsd('1')))).toThrow('only what was not paid for expires')
  })
})

describe('a debt that is written off', () => {
  it('is a loss of the service', () => {
    expect(writeOffTransfers(parseUsd('7'))).toEqual([
      { kind: 'write_off', debit: 'losses', credit: 'wallet', amount: 7_000_000_000n },
    ])
  })

  it.each([0n, -1n])('of %i nano-dollars is our own mistake', (amount) => {
    expect(() => writeOffTransfers(nanoUsd(amount))).toThrow('a transfer moves something')
  })
})

it('owners see every kind of transfer but what the processor takes', () => {
  expect(transferKinds.filter((kind) => !ownerKinds.some((shown) => shown === kind))).toEqual(['processor_fee'])
  expect(ownerKinds).toEqual([
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
  ])
})
