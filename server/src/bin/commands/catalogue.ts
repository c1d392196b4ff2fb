import { countPriced } from '#control/catalogue/count-priced.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type PriceList, priceUnits, type UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'
import { readTextFile } from '../read-text-file.ts'

export const catalogueCommands: readonly Command[] = [
  {
    words: 'catalogue import',
    summary: 'Import models, offers and prices from a JSON file; all of it or nothing. Changed prices add a version.',
    positionals: ['file'],
    options: {
      replace: {
        type: 'boolean',
        description: 'The file is everything there is: models it does not name are unlisted.',
      },
    },
    async run(input) {
      const parsed = parseCatalogueFile(parseJson(readTextFile(input.argument(0), { what: 'The file' })))
      if (!parsed.accepted) {
        const shown = parsed.problems.map(({ path, reason }) => `  ${path}: ${reason}`)
        const message = [`The file is refused for ${parsed.problemCount} reasons:`, ...shown].join('\n')
        throw new GatewayError('malformedRequest', { message })
      }
      return withSession(async ({ pool }) => {
        const options = { replace: input.flag('replace') }
        const report = await createCatalogueStore(pool).import(parsed.rows, Date.now(), options)
        const priced = countPriced(parsed.rows)
        const lines = [
          ...Object.entries(report).map(([name, count]) => `${name}: ${count}`),
          ...priced.map((each) => `priced ${each.kind}: ${each.priced} of ${each.models}`),
        ]
        return { lines, data: { ...report, priced: priced.map((each) => ({ ...each })) } }
      })
    },
  },
  {
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
  },
]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('malformedRequest', { message: 'The file is not JSON.', cause })
  }
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
