import { type PriceList, type PriceUnit, priceUnits, type UnitPrices } from './price-list.ts'
import { formatUnitPrice, perMillion, type UnitPrice } from './unit-price.ts'

/** One price as operators read it. */
export interface QuotedPrice {
  readonly unit: PriceUnit
  /** USD for a million tokens, or for one of any other unit. */
  readonly usd: string
  readonly isPerMillion: boolean
  /** The condition of the price, or empty for the plain price. */
  readonly when: string
}

/** All prices of a list: the plain ones, then those with conditions. */
export function quotePrices({ base, tiers, rules = [] }: PriceList): QuotedPrice[] {
  return [
    ...quoteUnits(base, ''),
    ...tiers.flatMap(({ abovePromptTokens, prices }) => quoteUnits(prices, `prompt above ${abovePromptTokens} tokens`)),
    ...rules.map(({ unit, price, when }) => {
      const conditions = Object.entries(when).map(([name, value]) => `${name} ${value}`)
      return quote(unit, price, conditions.join(', '))
    }),
  ]
}

function quoteUnits(prices: UnitPrices, when: string): QuotedPrice[] {
  return priceUnits.flatMap((unit) => {
    const price = prices[unit]
    return price === undefined ? [] : [quote(unit, price, when)]
  })
}

function quote(unit: PriceUnit, price: UnitPrice, when: string): QuotedPrice {
  const isPerMillion = !unit.startsWith('per_') && unit !== 'web_search'
  return { unit, usd: isPerMillion ? perMillion(price) : formatUnitPrice(price), isPerMillion, when }
}
