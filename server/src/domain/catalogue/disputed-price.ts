import { priceUnits } from '#domain/money/price-list.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import type { StatedUnits } from './catalogue-row.ts'

/** A price that sources disagree on. Nothing is sold at such a price until an operator has decided. */
export interface DisputedPrice {
  readonly provider: string
  /** The region of the price; missing if it applies to every region. */
  readonly region?: string
  readonly quotes: readonly PriceQuote[]
}

export interface PriceQuote {
  readonly source: string
  readonly units: StatedUnits
}

/** Reads the disputed prices from the details of a model. */
export function disputedPricesOf(details: JsonObject): DisputedPrice[] {
  return objectsOf(details['disputed_prices']).map((disputed) => ({
    ...hostOf(stringAt(disputed, 'provider') ?? '', stringAt(disputed, 'region')),
    quotes: objectsOf(disputed['quotes']).map((quote) => ({
      source: stringAt(quote, 'source') ?? '',
      units: unitsOf(quote['pricing']),
    })),
  }))
}

/** The details with these disputed prices, or without any. */
export function withDisputedPrices(details: JsonObject, disputed: readonly DisputedPrice[]): JsonObject {
  const { disputed_prices: _, ...others } = details
  if (disputed.length === 0) return others
  const written = disputed.map(({ provider, region, quotes }) => ({
    ...hostOf(provider, region),
    quotes: quotes.map(({ source, units }) => ({ source, pricing: { ...units } })),
  }))
  return { ...others, disputed_prices: written }
}

/** Whether the price of this offer is disputed. */
export function isDisputedAt(disputed: DisputedPrice, offer: { provider: string; variant: string }): boolean {
  return disputed.provider === offer.provider && (disputed.region ?? offer.variant) === offer.variant
}

/** A display label: the provider, and the region if there is one. */
export function disputedHost({ provider, region }: DisputedPrice): string {
  return region === undefined ? provider : `${provider}/${region}`
}

function hostOf(provider: string, region: string | undefined): Pick<DisputedPrice, 'provider' | 'region'> {
  return region === undefined ? { provider } : { provider, region }
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function unitsOf(value: JsonValue | undefined): StatedUnits {
  const pricing = isJsonObject(value) ? value : {}
  return Object.fromEntries(
    priceUnits.flatMap((unit) => {
      const text = stringAt(pricing, unit)
      return text === undefined ? [] : [[unit, text]]
    }),
  )
}
