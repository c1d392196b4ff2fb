import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { isWholePrice, type OfficialPrice, officialPriceOf } from '../official-prices.ts'
import { type Quote, type QuotedOffer, type Word, wordOnPrice } from './quotes.ts'

interface OfficialWord {
  readonly word: Word<StatedPrice>
  /**
   * The source prices that the official price overrules, and the official price itself. Empty if no source contradicts
   * it.
   */
  readonly overruled: readonly { readonly source: string; readonly value: StatedPrice }[]
}

/** The price of an offer according to the sources. Units that the provider states come from the provider only. */
export function officialWord(
  offer: Pick<QuotedOffer, 'provider' | 'variant' | 'upstreamModel' | 'quotes'>,
): OfficialWord {
  const official = officialPriceOf(offer)
  const { quotes } = offer
  if (official === undefined) return { word: wordOnPrice(quotes), overruled: [] }
  const wrong = quotes.flatMap(({ source, offer: { price } }) =>
    price !== null && contradicts(price, official) ? [{ source, value: price }] : [],
  )
  const stated = { source: `${official.source} (${official.date})`, value: priceOf(official, []) }
  return {
    word: withRules(wordOnPrice(quotes.map((quote) => underOfficial(quote, official))), official),
    overruled: wrong.length === 0 ? [] : [...wrong, stated],
  }
}

function contradicts({ units }: StatedPrice, official: OfficialPrice): boolean {
  return Object.entries(official.units).some(([unit, usd]) => (new Map(Object.entries(units)).get(unit) ?? usd) !== usd)
}

/** If the provider states the whole price, other tiers and units come only from sources that agree with it. */
function underOfficial(quote: Quote, official: OfficialPrice): Quote {
  const { price } = quote.offer
  if (price === null) return quote
  const isWrong = isWholePrice(official) && contradicts(price, official)
  const units = isWrong ? official.units : { ...price.units, ...official.units }
  return { ...quote, offer: { ...quote.offer, price: { ...price, units, tiers: isWrong ? [] : price.tiers } } }
}

function withRules(word: Word<StatedPrice>, official: OfficialPrice): Word<StatedPrice> {
  if (word.kind !== 'agreed' || official.rules === undefined) return word
  return { ...word, value: { ...word.value, rules: official.rules } }
}

function priceOf({ units, rules }: OfficialPrice, tiers: StatedPrice['tiers']): StatedPrice {
  return { units, tiers, ...(rules === undefined ? {} : { rules }) }
}
