import { describe, expect, it } from 'vitest'
import { type PriceUnit, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { dearestPriceOf, priceOf } from './price-of.ts'

const usd = 10n ** 18n
const unit = 'per_image_output'
const rule = (price: string, when: Record<string, string>, of: PriceUnit = unit) => ({ unit: of, usd: price, when })
const plain = parseUnitPrices({ per_image_output: '4', per_image_input: '1' })

describe('[P10] the price of a variant', () => {
  it.each<[string, ReturnType<typeof rule>[], Record<string, string>, bigint]>([
    ['the plain one without rules', [], { quality: 'high' }, 4n],
    ['that of a rule which holds', [rule('5', { quality: 'high' })], { quality: 'high' }, 5n],
    ['that of a rule without conditions', [rule('5', {})], {}, 5n],
    ['the same however a client writes it', [rule('5', { resolution: '4k' })], { resolution: '4K' }, 5n],
    ['the same however a catalogue writes it', [rule('5', { resolution: '4K' })], { resolution: '4k' }, 5n],
    ['the plain one where a rule says otherwise', [rule('5', { quality: 'high' })], { quality: 'low' }, 4n],
    ['the plain one where the variant says nothing', [rule('5', { quality: 'high' })], {}, 4n],
    [
      'the plain one where only half of a rule holds',
      [rule('5', { quality: 'high', size: 'big' })],
      { quality: 'high', size: 'small' },
      4n,
    ],
    ['not that of another unit', [rule('5', { quality: 'high' }, 'per_image_input')], { quality: 'high' }, 4n],
    [
      'that of the rule which says most, even if it is cheaper and comes first',
      [rule('2', { quality: 'high', size: 'big' }), rule('9', { quality: 'high' })],
      { quality: 'high', size: 'big' },
      2n,
    ],
    [
      'that of the rule which says most, even if it is cheaper and comes last',
      [rule('9', { quality: 'high' }), rule('2', { quality: 'high', size: 'big' })],
      { quality: 'high', size: 'big' },
      2n,
    ],
    [
      'the dearest of rules that say as much, the dearest first',
      [rule('3', { quality: 'high' }), rule('2', { size: 'big' })],
      { quality: 'high', size: 'big' },
      3n,
    ],
    [
      'the dearest of rules that say as much, the dearest last',
      [rule('2', { size: 'big' }), rule('3', { quality: 'high' })],
      { quality: 'high', size: 'big' },
      3n,
    ],
    [
      'not that of a rule which repeats the plain price and comes first',
      [rule('4', { quality: 'high' }), rule('2', { size: 'big' })],
      { quality: 'high', size: 'big' },
      2n,
    ],
    [
      'not that of a rule which repeats the plain price and comes last',
      [rule('2', { size: 'big' }), rule('4', { quality: 'high' })],
      { quality: 'high', size: 'big' },
      2n,
    ],
    ['a price of zero', [rule('0', { quality: 'low' })], { quality: 'low' }, 0n],
  ])('is %s', (_, rules, variant, price) => {
    expect(priceOf(unit, plain, parsePriceRules(rules), variant)).toBe(price * usd)
  })

  it('is unknown where neither a rule nor the plain list has one', () => {
    const rules = parsePriceRules([rule('5', { quality: 'high' })])
    expect(priceOf(unit, {}, rules, { quality: 'low' })).toBeUndefined()
    expect(priceOf(unit, {}, rules, { quality: 'high' })).toBe(5n * usd)
    expect(priceOf(unit, {}, {}, {})).toBeUndefined()
  })
})

describe('[HOLD-10] the dearest price that a variant may have', () => {
  const tiers = [plain, parseUnitPrices({ per_image_output: '6' }), parseUnitPrices({ per_image_output: '5' })]
  it.each<[string, ReturnType<typeof rule>[], Record<string, string> | undefined, bigint]>([
    ['that of the dearest tier', [], {}, 6n],
    ['that of a rule which holds', [rule('9', { quality: 'high' })], { quality: 'HIGH' }, 9n],
    ['that of a rule of which nothing is known yet', [rule('9', { quality: 'high' })], {}, 9n],
    ['the same where no variant is known', [rule('9', { quality: 'high' })], undefined, 9n],
    ['not that of a rule which does not hold', [rule('9', { quality: 'high' })], { quality: 'low' }, 6n],
    [
      'not that of a rule of which half does not hold',
      [rule('9', { quality: 'high', size: 'big' })],
      { size: 's' },
      6n,
    ],
    ['not that of another unit', [rule('9', {}, 'per_image_input')], {}, 6n],
    ['not that of a cheaper rule', [rule('2', {})], {}, 6n],
  ])('is %s', (_, rules, variant, price) => {
    expect(dearestPriceOf(unit, tiers, parsePriceRules(rules), variant)).toBe(price * usd)
  })

  it('is zero where that is the only one, and unknown where there is none', () => {
    expect(dearestPriceOf(unit, [parseUnitPrices({ per_image_output: '0' })], {})).toBe(0n)
    expect(dearestPriceOf(unit, [{}], {})).toBeUndefined()
    expect(dearestPriceOf(unit, [{}], parsePriceRules([rule('0', {})]))).toBe(0n)
  })
})
