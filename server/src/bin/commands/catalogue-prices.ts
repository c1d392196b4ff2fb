import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type PriceList, priceUnits, type UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const cataloguePrices: Command = {
  words: 'catalogue prices',
  summary: 'Show what every host of a model asks, in all units, with tiers and variants.',
  positionals: ['model'],
  run: (input) =>
    withSession(async ({ pool }) => {
      const name = input.argument(0)
      const model = findModel(await createCatalogueStore(pool).load(), name)
      if (model === undefined) throw new GatewayError('modelNotFound', { message: `There is no model ${name}.` })
      const prices = pricesOf(model)
      const rows = prices.map(({ host, unit, usd, when }) => [host, unit, usd, when])
      const lines = formatTable(['HOST', 'UNIT', 'USD FOR ONE', 'WHERE'], rows)
      const isPriced = isChargeable(model)
      if (!isPriced) lines.push('No host has a price in units that such a model is counted in: calls are refused.')
      return { lines, data: { model: model.id, priced: isPriced, prices: prices.map((price) => ({ ...price })) } }
    }),
}

interface ShownPrice {
  readonly host: string
  readonly unit: string
  readonly usd: string
  /** What must be so for it to hold; empty for the plain price. */
  readonly when: string
}

function pricesOf(model: Model): ShownPrice[] {
  const offered = model.offers.map(({ provider, variant, price }) => {
    return { host: variant === '' ? provider : `${provider}/${variant}`, price: price ?? model.price }
  })
  const hosts = offered.length > 0 ? offered : [{ host: model.defaultProvider ?? '', price: model.price }]
  return hosts.flatMap(({ host, price }) => (price === null ? [] : shownPrices(host, price)))
}

function shownPrices(host: string, { base, tiers, rules = [] }: PriceList): ShownPrice[] {
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
