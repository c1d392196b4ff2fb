import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { minor } from './currency.ts'
import { bookedFor, takenOf } from './split-payment.ts'

const cent = 10_000_000n
const usd = (credit: bigint, fee: bigint, tax: bigint) => ({
  credit: nanoUsd(credit),
  fee: nanoUsd(fee),
  tax: nanoUsd(tax),
})
// Ten dollars with a fee of 10 % and a tax of 5 %, charged as 1,000 yen.
const quoted = usd(1_000n * cent, 100n * cent, 50n * cent)
const charged = { credit: minor(870n), fee: minor(87n), tax: minor(43n), total: minor(1_000n) }

describe('a payment', () => {
  it('of the whole amount is booked as quoted, to the nano-dollar', () => {
    const exact = usd(1_000n * cent + 1n, 100n * cent, 50n * cent)
    expect(bookedFor({ quoted: exact, charged }, minor(1_000n))).toEqual(exact)
  })

  it.each([
    // Half of the payment is 575 cents.
    [500n, usd(500n * cent, 50n * cent, 25n * cent)],
    [2_000n, usd(2_000n * cent, 200n * cent, 100n * cent)],
    [0n, usd(0n, 0n, 0n)],
  ])('of %i of 1,000 is booked in the same proportions', (paid, booked) => {
    expect(bookedFor({ quoted, charged }, minor(paid))).toEqual(booked)
  })
})

describe('what went back of a payment', () => {
  it.each([
    [0n, usd(0n, 0n, 0n), 0n],
    [500n, usd(500n * cent, 50n * cent, 25n * cent), 0n],
    [1_000n, quoted, 0n],
    // The operator, not the owner of the wallet, loses any amount beyond the payment.
    [1_200n, quoted, 230n * cent],
  ])('%i of 1,000 is taken from credit, fee and tax alike', (gone, taken, loss) => {
    expect(takenOf(quoted, { paid: minor(1_000n), gone })).toEqual({ ...taken, loss })
  })
})
