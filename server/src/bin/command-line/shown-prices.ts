import { disputedHost, disputedPricesOf } from '#domain/catalogue/disputed-price.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type PriceList, priceUnits, type UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'

interface ShownPrice {
  readonly host: string
  readonly unit: string
  readonly usd: string
  /** The condition of the price, or empty for the plain price. */
  readonly when: string
}

export function shownPrices(model: Model): ShownPrice[] {
  const offered = model.offers.map(({ provider, variant, price }) => {
    return { host: variant === '' ? provider : `${provider}/${variant}`, price: price ?? model.price }
  })
  const hosts = offered.length > 0 ? offered : [{ host: model.defaultProvider ?? '', price: model.price }]
  return [
    ...hosts.flatMap(({ host, price }) => (price === null ? [] : pricesOfHost(host, price))),
    ...disputedPrices(model),
  ]
}

/** Prices that sources disagree on. None of them is charged. */
function disputedPrices({ details }: Model): ShownPrice[] {
  return disputedPricesOf(details).flatMap((disputed) =>
    disputed.quotes.flatMap(({ source, units }) =>
      Object.entries(units).map(([unit, usd]) => {
        return { host: disputedHost(disputed), unit, usd, when: `per ${source}; disputed` }
      }),
    ),
  )
}

function pricesOfHost(host: string, { base, tiers, rules = [] }: PriceList): ShownPrice[] {
  const plain = (prices: UnitPrices, when: string): ShownPrice[] =>
    priceUnits.flatMap((unit) => {
      const price = prices[unit]
      return price === undefined ? [] : [{ host, unit, usd: formatUnitPrice(price), when }]
    })
  return [
    ...plain(base, ''),
    ...tiers.flatMap(({ abovePromptTokens, prices }) => plain(prices, `prompt above ${abovePromptTokens}`)),
    ...rules.map(({ unit, price, when }) => {
      const conditions = Object.entries(when).map(([name, value]) => `${name} ${value}`)
      return { host, unit, usd: formatUnitPrice(price), when: conditions.join(', ') }
    }),
  ]
}
