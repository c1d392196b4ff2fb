import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { parsePriceRules, parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import { providerCostOf, purchaseCostOf, type Served } from './provider-cost-of.ts'

const listOf = (usd: string): PriceList => ({
  id: 'p',
  base: parseUnitPrices({ prompt: usd, completion: usd }),
  tiers: [],
})

/** Ten tokens at 4 nano-dollars each. */
const served: Served = {
  billing: 'charged',
  price: listOf('0.000000004'),
  purchase: undefined,
  usage: { ...noUsage, textOutput: 10 },
  cost: nanoUsd(40n),
  absorbed: zeroUsd,
  isRefunded: false,
  usageDoubted: false,
  receivedAtMs: 0,
}
const refunded = { cost: zeroUsd, isRefunded: true }
const half = { discountPpm: 500_000 }
const cheap = { price: listOf('0.000000001'), discountPpm: 0 }

describe('what the operator owes the provider', () => {
  // Undefined: exactly the charged and absorbed cost.
  it.each<[string, Partial<Served>, bigint | undefined]>([
    ['a charged request at the list price', {}, undefined],
    ['a charged request with half off', { purchase: half }, 20n],
    ['a charged request at a purchase price', { purchase: cheap }, 10n],
    ['a charged request at a purchase price with half off', { purchase: { ...cheap, ...half } }, 5n],
    [
      'a charged request with terms that change nothing',
      { purchase: { price: listOf('0.000000004'), discountPpm: 0 } },
      undefined,
    ],
    [
      'a dearer purchase: the operator loses money',
      { purchase: { price: listOf('0.000000005'), discountPpm: 0 } },
      50n,
    ],
    ['a charge that was judged to be less than its usage', { cost: nanoUsd(30n) }, undefined],
    [
      'as much as any request can cost',
      { usage: { ...noUsage, textOutput: 10 ** 6 }, purchase: { price: listOf('1'), discountPpm: 0 } },
      10n ** 15n,
    ],
    ['a charge that was cut to the hold', { cost: nanoUsd(30n), absorbed: nanoUsd(10n) }, undefined],
    ['a charge that was cut, with half off', { cost: nanoUsd(30n), absorbed: nanoUsd(10n), purchase: half }, 20n],
    ['a refund of reported usage', refunded, 40n],
    ['a refund of reported usage with half off', { ...refunded, purchase: half }, 20n],
    ['a refund without reported usage', { ...refunded, usage: null }, undefined],
    ['a refund of zero usage', { ...refunded, usage: noUsage }, undefined],
    ['no usage, with half off', { usage: null, cost: zeroUsd, purchase: half }, undefined],
    ['doubted usage at the list price', { usageDoubted: true, cost: nanoUsd(5n), absorbed: nanoUsd(4n) }, undefined],
    [
      'doubted usage with half off',
      { usageDoubted: true, cost: nanoUsd(5n), absorbed: nanoUsd(4n), purchase: half },
      5n,
    ],
    ['an own key of the organization', { ...refunded, billing: 'own_key' }, undefined],
    ['an own key, with terms of the account', { ...refunded, billing: 'own_key', purchase: half }, undefined],
    ['a test model', { ...refunded, billing: 'test' }, undefined],
    ['a free model that the operator pays for', { ...refunded, billing: 'free', purchase: cheap }, 10n],
    [
      'more than any request can cost',
      { usage: { ...noUsage, textOutput: 10 ** 9 }, purchase: { price: listOf('1'), discountPpm: 0 } },
      undefined,
    ],
  ])('for %s', (_name, change, cost) => {
    expect(providerCostOf({ ...served, ...change })).toBe(cost)
  })

  it('follows the purchase price at the time of the request', () => {
    const rules = parsePriceRules([{ unit: 'completion', usd: '0.000000001', when: { until: '2027-01-01T00:00:00Z' } }])
    const purchase = { price: { ...listOf('0.000000002'), ...rules }, discountPpm: 0 }
    const startsAtMs = Date.parse('2027-01-01T00:00:00Z')
    expect(providerCostOf({ ...served, purchase, receivedAtMs: startsAtMs - 1 })).toBe(10n)
    expect(providerCostOf({ ...served, purchase, receivedAtMs: startsAtMs })).toBe(20n)
  })
})

it.each([
  ['its charge', { cost: nanoUsd(3n) }, 3n],
  ['its charge and the absorbed cost', { cost: nanoUsd(3n), absorbed: nanoUsd(2n) }, 5n],
  ['its provider cost', { cost: nanoUsd(3n), absorbed: nanoUsd(2n), providerCost: zeroUsd }, 0n],
])('a stored request cost the operator %s', (_name, record, cost) => {
  expect(purchaseCostOf(record)).toBe(cost)
})
