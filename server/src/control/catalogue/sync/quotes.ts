import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { ListedOffer, Listing } from './listing.ts'

/** One offer of a provider, with each source's quote. */
export interface QuotedOffer {
  readonly provider: string
  readonly variant: string
  readonly upstreamModel: string
  readonly quotes: readonly Quote[]
}

export interface Quote {
  readonly source: string
  readonly offer: ListedOffer
}

/** All offers that the sources list, with all quotes. Model names are compared case-insensitively. */
export function quoteOffers(listings: readonly Listing[]): ReadonlyMap<string, QuotedOffer> {
  const quoted = new Map<string, QuotedOffer>()
  for (const { source, offers } of listings) {
    for (const offer of offers) {
      const { provider, variant, upstreamModel } = offer
      const key = offerKey(offer)
      const known = quoted.get(key) ?? { provider, variant, upstreamModel, quotes: [] }
      // If a source lists an offer twice, the second entry is ignored.
      if (known.quotes.some((quote) => quote.source === source)) continue
      quoted.set(key, { ...known, quotes: [...known.quotes, { source, offer }] })
    }
  }
  return quoted
}

export function offerKey(offer: Pick<ListedOffer, 'provider' | 'variant' | 'upstreamModel'>): string {
  return [offer.provider, offer.variant, offer.upstreamModel.toLowerCase()].join('\n')
}

/** The consensus of the sources on one value: no value, one value, or several. */
export type Word<Value> =
  | { readonly kind: 'silent' }
  | { readonly kind: 'agreed'; readonly value: Value; readonly sources: number }
  | { readonly kind: 'disputed'; readonly said: readonly { source: string; value: Value }[] }

/** The one value that all sources with a value agree on. */
export function wordOn<Value>(quotes: readonly Quote[], read: (offer: ListedOffer) => Value | null): Word<Value> {
  const said = quotes.flatMap(({ source, offer }) => {
    const value = read(offer)
    return value === null ? [] : [{ source, value }]
  })
  const [first] = said
  if (first === undefined) return { kind: 'silent' }
  if (said.some(({ value }) => value !== first.value)) return { kind: 'disputed', said }
  return { kind: 'agreed', value: first.value, sources: said.length }
}

/**
 * The price that all sources agree on. A unit or tier that one source omits is not disputed. If two sources state a
 * unit or tier differently, the whole price is disputed, because no provider charges a list combined from several
 * sources.
 */
export function wordOnPrice(quotes: readonly Quote[]): Word<StatedPrice> {
  const said = quotes.flatMap(({ source, offer }) => (offer.price === null ? [] : [{ source, value: offer.price }]))
  const [first] = said
  if (first === undefined) return { kind: 'silent' }
  const lines = new Map<string, string>()
  for (const { value } of said) {
    for (const [line, usd] of priceLines(value)) {
      if ((lines.get(line) ?? usd) !== usd) return { kind: 'disputed', said }
      lines.set(line, usd)
    }
  }
  const units = Object.assign({}, ...said.map(({ value }) => value.units)) as StatedPrice['units']
  const tiers = said.find(({ value }) => value.tiers.length > 0)?.value.tiers ?? []
  return { kind: 'agreed', value: { units, tiers }, sources: said.length }
}

/** A price list as comparable lines: the unit with its tier or variant, and the amount. */
export function priceLines({ units, tiers, rules = [] }: StatedPrice): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(units),
    ...tiers.flatMap((tier) =>
      Object.entries(tier.units).map(([unit, usd]) => [`${unit} above ${tier.abovePromptTokens}`, usd] as const),
    ),
    ...rules.map(({ unit, usd, when }) => {
      const conditions = Object.entries(when)
        .toSorted()
        .map(([name, value]) => `${name} ${value}`)
      return [`${unit} for ${conditions.join(', ')}`, usd] as const
    }),
  ])
}
