import type { StatedPrice, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import { type PriceList, parsePriceRules, parseUnitPrices, type UnitPrices } from './price-list.ts'
import { formatUnitPrice } from './unit-price.ts'

/** A price list as text, for a persistent store. */
export function statePrice({ id, base, tiers, rules = [] }: PriceList): StatedPrice & { id: string } {
  return {
    id,
    units: stateUnits(base),
    tiers: tiers.map(({ abovePromptTokens, prices }) => ({ abovePromptTokens, units: stateUnits(prices) })),
    rules: rules.map(({ unit, price, when }) => ({ unit, usd: formatUnitPrice(price), when })),
  }
}

export function parsePrice({ id, units, tiers, rules = [] }: StatedPrice & { id: string }): PriceList {
  return {
    id,
    base: parseUnitPrices(units),
    tiers: tiers.map((tier) => ({ abovePromptTokens: tier.abovePromptTokens, prices: parseUnitPrices(tier.units) })),
    ...parsePriceRules(rules),
  }
}

function stateUnits(prices: UnitPrices): StatedUnits {
  return Object.fromEntries(Object.entries(prices).map(([unit, price]) => [unit, formatUnitPrice(price)]))
}
