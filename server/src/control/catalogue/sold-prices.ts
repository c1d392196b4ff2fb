import type { Model, Offer } from '#domain/catalogue/model.ts'
import { quotePrices, type QuotedPrice } from '#domain/money/quote-prices.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { offerFor } from '#domain/routing/offer-for.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import type { Operators, ProviderAccountListing } from '#ports/operators.ts'

/** An offer of a model, its price to clients, and what the operator pays. */
export interface SoldOffer extends Pick<Offer, 'provider' | 'variant' | 'upstreamModel'> {
  readonly prices: readonly QuotedPrice[]
  /** The purchase price; null if the provider charges the list price. */
  readonly purchase: readonly QuotedPrice[] | null
  /** The platform's accounts that would use the offer. */
  readonly accounts: readonly Pick<ProviderAccountListing, 'name' | 'enabled' | 'discountPpm'>[]
}

/** A price that a provider of a model had. Without prices, it was withdrawn. */
export interface PastPrice {
  readonly provider: string
  readonly variant: string
  readonly fromMs: number
  readonly prices: readonly QuotedPrice[]
}

export async function listSoldOffers(model: Model, operators: Pick<Operators, 'listAccounts'>): Promise<SoldOffer[]> {
  const accounts = await operators.listAccounts()
  return model.offers.map((offer) => {
    const price = offer.price ?? model.price
    return {
      provider: offer.provider,
      variant: offer.variant,
      upstreamModel: offer.upstreamModel,
      prices: price === null ? [] : quotePrices(price),
      purchase: offer.purchase === undefined ? null : quotePrices(offer.purchase),
      accounts: accounts.filter((account) => offerFor(model, account) === offer),
    }
  })
}

/** Every price that a model ever had, by provider, the newest first. */
export async function listPastPrices(
  catalogue: Pick<CatalogueStore, 'priceHistory'>,
  modelId: string,
): Promise<PastPrice[]> {
  const versions = await catalogue.priceHistory(modelId)
  return versions.map(({ provider, variant, validFromMs, ...price }) => {
    return { provider, variant, fromMs: validFromMs, prices: quotePrices(parsePrice({ id: '', ...price })) }
  })
}
