import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isZeroUsage } from '#domain/inference/usage.ts'
import { receiptOf } from '#domain/ledger/receipt.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { receiptLines } from '#domain/money/receipt-lines.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { parseUnitPrice } from '#domain/money/unit-price.ts'
import { listOf, mediaCase, mediaNames, tokenNames, usageOf } from './arbitrary-media.ts'
import { exactUsd, type OracleUse, roundedUpNano } from './oracle.ts'

const runs = { numRuns: 2_000 }

describe('a charge for media', () => {
  it('[MONEY-04] [MONEY-01] is what fractions come to, rounded up once', () => {
    fc.assert(
      fc.property(mediaCase, ({ use, list }) => {
        expect(chargeFor(usageOf(use), listOf(list)).cost).toBe(roundedUpNano(exactUsd(use, list)))
      }),
      runs,
    )
  })

  it('[P10] is recomputed from its receipt, line by line', () => {
    fc.assert(
      fc.property(mediaCase, ({ use, list }) => {
        const usage = usageOf(use)
        const { cost } = chargeFor(usage, listOf(list))
        const receipt = receiptOf({ usage, refundReason: null }, listOf(list))
        expect(receipt?.total).toBe(cost)
        const sum = (receipt?.lines ?? []).reduce(
          (total, line) => total + decimalMillionths(line.count) * parseUnitPrice(line.unitPriceUsd),
          0n,
        )
        const nano = 10n ** 15n
        expect(cost).toBe(sum / nano + (sum % nano === 0n ? 0n : 1n))
      }),
      runs,
    )
  })

  it('never has an image or a sound by the token and by the piece, or a search at two prices', () => {
    fc.assert(
      fc.property(mediaCase, ({ use, list }) => {
        const items = receiptLines(usageOf(use), listOf(list)).map(({ item }) => item)
        expect(new Set(items).size).toBe(items.length)
        for (const same of oneThing) expect(items.filter((item) => same.has(item)).length).toBeLessThan(2)
      }),
      runs,
    )
  })

  it('never falls when a count that was there grows', () => {
    fc.assert(
      fc.property(
        mediaCase,
        fc.constantFrom(...tokenNames, ...mediaNames),
        fc.integer({ min: 1, max: 1_000_000 }),
        ({ use, list }, name, more) => {
          const flat = { ...list, tiers: [] }
          fc.pre((use.tokens[name] ?? use.media[name] ?? 0) > 0)
          const before = chargeFor(usageOf(use), listOf(flat)).cost
          expect(chargeFor(usageOf(grown(use, name, more)), listOf(flat)).cost).toBeGreaterThanOrEqual(before)
        },
      ),
      runs,
    )
  })

  it('of two requests in one is the sum of both, but for what rounding up twice adds', () => {
    fc.assert(
      fc.property(mediaCase, fc.integer({ min: 1, max: 9 }), ({ use, list }, factor) => {
        const { per_request: _, ...base } = list.base
        const flat = listOf({ base, tiers: [], rules: list.rules })
        const one = chargeFor(usageOf(use), flat).cost
        const many = chargeFor(usageOf(multiplied(use, factor)), flat).cost
        expect(many).toBeLessThanOrEqual(one * BigInt(factor))
        expect(one * BigInt(factor) - many).toBeLessThan(BigInt(factor))
      }),
      runs,
    )
  })

  it('[HOLD-10] never exceeds what is held for as much or more', () => {
    fc.assert(
      fc.property(mediaCase, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), ({ use, list }, shares) => {
        const held = worstChargeOf(usageOf(use), listOf(list))
        expect(chargeFor(usageOf(shrunk(use, shares)), listOf(list)).cost).toBeLessThanOrEqual(held)
        // Unknown properties of the variant can have any value.
        const open = worstChargeOf(usageOf({ ...use, variant: {} }), listOf(list))
        expect(chargeFor(usageOf(shrunk(use, shares)), listOf(list)).cost).toBeLessThanOrEqual(open)
      }),
      runs,
    )
  })

  it('is nothing for nothing, which is refunded', () => {
    fc.assert(
      fc.property(mediaCase, ({ use }) => {
        const none = { tokens: {}, media: multiplied(use, 0).media, variant: use.variant }
        expect(isZeroUsage(usageOf(none))).toBe(true)
        expect(isZeroUsage(usageOf(use))).toBe(
          [...Object.values(use.tokens), ...Object.values(use.media)].every((count) => count === 0),
        )
      }),
    )
  })
})

const oneThing: readonly ReadonlySet<string>[] = [
  new Set(['imageOutput', 'per_image_output', 'per_megapixel_output', 'per_pixel_output']),
  new Set(['image_input_token', 'per_image_input', 'per_megapixel_input']),
  new Set(['audioInput', 'per_second_input']),
  new Set(['web_search', 'per_search']),
]

/** Parses the string that a client reads. */
function decimalMillionths(count: number): bigint {
  const [whole = '0', decimals = ''] = JSON.stringify(count).split('.')
  expect(decimals.length).toBeLessThanOrEqual(6)
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

function changed(use: OracleUse, change: (count: number, name: string) => number): OracleUse {
  const each = (counts: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, change(count, name)]))
  return { tokens: each(use.tokens), media: each(use.media), variant: use.variant }
}

function grown(use: OracleUse, grows: string, more: number): OracleUse {
  return changed(use, (count, name) => (name === grows ? count + more : count))
}

function multiplied(use: OracleUse, factor: number): OracleUse {
  return changed(use, (count) => count * factor)
}

function shrunk(use: OracleUse, shares: readonly number[]): OracleUse {
  let at = 0
  return changed(use, (count) => Math.floor(count * (shares[at++] ?? 1)))
}
