import { oncePer } from '#lib/once-per.ts'
import type { PriceList, PriceRule, PriceTier, PriceUnit, UnitPrices } from './price-list.ts'
import { inProportion, type UnitPrice } from './unit-price.ts'
import { isWithinUtc } from './utc-windows.ts'

/** The time conditions of a rule: hours of the week, and the times from and until which it applies. */
export const clockConditions = ['utc', 'from', 'until'] as const

export function isClocked({ when }: Pick<PriceRule, 'when'>): boolean {
  return clockConditions.some((name) => when[name] !== undefined)
}

/**
 * The price list at a point in time. The plain price is the highest, and rules with a time say when it is lower. Code
 * that ignores the time then reserves, lists and charges too much rather than too little.
 */
export function pricesAt(list: PriceList, atMs: number): PriceList {
  if (list.rules === undefined) return list
  const { clocked, known } = clockOf(list)
  if (clocked.length === 0) return list
  const applies = clocked.map((rule) => isInForce(rule, atMs))
  const name = applies.join()
  const found = known.get(name)
  if (found !== undefined) return found
  const prices = pricesWith(
    list,
    clocked.filter((_, index) => applies[index]),
  )
  known.set(name, prices)
  return prices
}

/** The rules with a time, and the lists for the combinations of them that have applied so far, which are few. */
const clockOf = oncePer(({ rules = [] }: PriceList) => ({
  clocked: rules.filter(isClocked),
  known: new Map<string, PriceList>(),
}))

function pricesWith(list: PriceList, applying: readonly PriceRule[]): PriceList {
  const { rules: all = [], ...rest } = list
  const inForce = applying.map(withoutClock)
  const plain = inForce.filter(({ when }) => Object.keys(when).length === 0)
  const rules = [...all.filter((rule) => !isClocked(rule)), ...inForce.filter((rule) => !plain.includes(rule))]
  return {
    ...rest,
    base: { ...list.base, ...dearestOf(plain) },
    tiers: list.tiers.map((tier) => inTier(tier, list.base, plain)),
    ...(rules.length === 0 ? {} : { rules }),
  }
}

function isInForce({ when }: PriceRule, atMs: number): boolean {
  const { utc, from, until } = when
  return (
    (utc === undefined || isWithinUtc(utc, atMs)) &&
    (from === undefined || atMs >= Date.parse(from)) &&
    (until === undefined || atMs < Date.parse(until))
  )
}

function withoutClock(rule: PriceRule): PriceRule {
  const { utc: _utc, from: _from, until: _until, ...when } = rule.when
  return { ...rule, when }
}

/** If several rules apply at once, the highest price counts. */
function dearestOf(rules: readonly PriceRule[]): UnitPrices {
  const prices: Partial<Record<PriceUnit, UnitPrice>> = {}
  for (const { unit, price } of rules) {
    const other = prices[unit]
    if (other === undefined || price > other) prices[unit] = price
  }
  return prices
}

/** Prices for longer prompts fall in the same proportion as the plain price, rounded up. */
function inTier(tier: PriceTier, base: UnitPrices, rules: readonly PriceRule[]): PriceTier {
  const prices: Partial<Record<PriceUnit, UnitPrice>> = { ...tier.prices }
  for (const [unit, to] of Object.entries(dearestOf(rules)) as [PriceUnit, UnitPrice][]) {
    const [from, price] = [base[unit], prices[unit]]
    if (from !== undefined && from > 0n && price !== undefined) prices[unit] = inProportion(price, { from, to })
  }
  return { ...tier, prices }
}
