import type { PriceList, PriceRule, PriceUnit, UnitPrices } from './price-list.ts'

type Variant = Readonly<Record<string, string>>

/**
 * The price of a unit for a variant: the price of the most specific rule that does not contradict the variant, else the
 * plain price. Among equally specific rules, a rule that repeats the plain price is ignored, and the highest of the
 * others applies.
 */
export function priceOf(
  unit: PriceUnit,
  prices: UnitPrices,
  { rules = [] }: Pick<PriceList, 'rules'>,
  variant: Variant,
): bigint | undefined {
  const plain = prices[unit]
  let best: PriceRule | undefined
  for (const rule of rules) {
    if (rule.unit !== unit || !holds(rule, variant)) continue
    if (best === undefined || saysMore(rule, best, plain)) best = rule
  }
  return best?.price ?? plain
}

function holds({ when }: PriceRule, variant: Variant): boolean {
  return Object.entries(when).every(([name, value]) => isSame(variant[name], value))
}

function saysMore(rule: PriceRule, best: PriceRule, plain: bigint | undefined): boolean {
  const difference = conditionCount(rule) - conditionCount(best)
  if (difference !== 0) return difference > 0
  if ((rule.price === plain) !== (best.price === plain)) return best.price === plain
  return rule.price > best.price
}

function conditionCount({ when }: PriceRule): number {
  return Object.keys(when).length
}

/** The highest price of a unit among all variants that a request may turn out to be. */
export function dearestPriceOf(
  unit: PriceUnit,
  pricesOfTiers: readonly UnitPrices[],
  { rules = [] }: Pick<PriceList, 'rules'>,
  variant: Variant = {},
): bigint | undefined {
  let dearest: bigint | undefined
  const consider = (price: bigint | undefined): void => {
    if (price !== undefined && (dearest === undefined || price > dearest)) dearest = price
  }
  for (const prices of pricesOfTiers) consider(prices[unit])
  for (const rule of rules) {
    if (rule.unit === unit && mayHold(rule, variant)) consider(rule.price)
  }
  return dearest
}

/** Unknown properties of a variant may still match the rule, so they do not exclude it. */
function mayHold({ when }: PriceRule, variant: Variant): boolean {
  return Object.entries(when).every(([name, value]) => variant[name] === undefined || isSame(variant[name], value))
}

// Case-insensitive, because clients write 4K where a catalogue has 4k.
function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
