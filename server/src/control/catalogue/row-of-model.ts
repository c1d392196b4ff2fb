import type { CatalogueRow, IsoDate, PriceRow, StatedPrice, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type PriceList, priceUnits, type UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'

/** A catalogue model as an import row. Importing the row changes nothing. */
export function rowOfModel(model: Model): CatalogueRow {
  const { price, offers, releasedAtMs, retiresAtMs, defaultProvider, ...same } = model
  const provider = defaultProvider ?? ''
  const isDefault = (offer: { provider: string; variant: string }): boolean =>
    offer.provider === provider && offer.variant === ''
  const ownPrices = price !== null && !offers.some(isDefault) ? [priceRow(provider, '', price)] : []
  return {
    ...same,
    defaultProvider: provider,
    releaseDate: dayOf(releasedAtMs),
    retiresOn: dayOf(retiresAtMs),
    offers: offers.map(({ price: _, api = null, purchase, ...offer }) => ({
      ...offer,
      api,
      ...(purchase === undefined ? {} : { purchase: statedPrice(purchase) }),
    })),
    prices: [
      ...ownPrices,
      ...offers.flatMap((offer) =>
        offer.price === null ? [] : [priceRow(offer.provider, offer.variant, offer.price)],
      ),
    ],
  }
}

function priceRow(provider: string, variant: string, list: PriceList): PriceRow {
  return { provider, variant, ...statedPrice(list) }
}

function statedPrice({ base, tiers, rules = [] }: PriceList): StatedPrice {
  return {
    units: statedUnits(base),
    tiers: tiers.map(({ abovePromptTokens, prices }) => ({ abovePromptTokens, units: statedUnits(prices) })),
    ...(rules.length === 0
      ? {}
      : { rules: rules.map(({ unit, price, when }) => ({ unit, usd: formatUnitPrice(price), when })) }),
  }
}

function statedUnits(prices: UnitPrices): StatedUnits {
  return Object.fromEntries(
    priceUnits.flatMap((unit) => {
      const price = prices[unit]
      return price === undefined ? [] : [[unit, formatUnitPrice(price)]]
    }),
  )
}

function dayOf(moment: number | null): IsoDate | null {
  return moment === null ? null : new Date(moment).toISOString().slice(0, 10)
}
