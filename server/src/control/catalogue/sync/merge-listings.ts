import type { CatalogueRow, OfferRow, PriceRow, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { disputedPricesOf, isDisputedAt, withDisputedPrices } from '#domain/catalogue/disputed-price.ts'
import type { Disagreement } from '#ports/catalogue-proposals.ts'
import type { Listing } from './listing.ts'
import { newModels } from './new-models.ts'
import { officialWord } from './official-word.ts'
import { offerKey, type QuotedOffer, quoteOffers, type Word, wordOn } from './quotes.ts'

export interface Merged {
  /** Rows that the sources change or add. */
  readonly rows: readonly CatalogueRow[]
  readonly disagreements: readonly Disagreement[]
  /** Number of offers of known providers that match no catalogue model and have no known author. */
  readonly unmatched: number
}

/**
 * Merges public sources into the catalogue. Offers are matched only by provider and the provider's own name for the
 * model, because similar names may be other models. A value that sources disagree on does not change, unless the
 * provider states it: the provider's price outranks them, and the result lists their different prices.
 */
export function mergeListings(
  current: readonly CatalogueRow[],
  listings: readonly Listing[],
  isKnownProvider: (slug: string) => boolean,
): Merged {
  const quoted = quoteOffers(
    listings.map(({ source, offers }) => ({
      source,
      offers: offers.filter(({ provider }) => isKnownProvider(provider)),
    })),
  )
  const disagreements: Disagreement[] = []
  const disagree = (each: Disagreement): void => void disagreements.push(each)
  const matched = new Set<string>()
  const rows = current.flatMap((row) => {
    const found = row.offers.flatMap((offer) => {
      const quotes = quoted.get(offerKey(offer))
      return quotes === undefined ? [] : [{ offer, quotes }]
    })
    for (const { quotes } of found) matched.add(offerKey(quotes))
    const updated = found.reduce((before, { offer, quotes }) => updateOffer(before, { offer, quotes, disagree }), row)
    return found.length === 0 ? [] : [updated]
  })
  const fresh = newModels(
    [...quoted.entries()].flatMap(([key, quotes]) => (matched.has(key) ? [] : [quotes])),
    new Set(current.map(({ id }) => id)),
  )
  return {
    rows: [...rows, ...fresh.rows],
    disagreements,
    unmatched: quoted.size - matched.size - fresh.rows.length,
  }
}

interface Update {
  readonly offer: OfferRow
  readonly quotes: QuotedOffer
  readonly disagree: (disagreement: Disagreement) => void
}

function updateOffer(row: CatalogueRow, { offer, quotes: { quotes }, disagree }: Update): CatalogueRow {
  const { provider, variant } = offer
  const decide = <Value>(
    what: Disagreement['what'],
    word: Word<Value>,
    show: (value: Value) => string,
  ): Value | null => {
    if (word.kind === 'disputed') {
      const said = word.said.map(({ source, value }) => ({ source, value: show(value) }))
      disagree({ model: row.id, provider, variant, what, said })
    }
    return word.kind === 'agreed' ? word.value : null
  }
  const isOwn = provider === row.defaultProvider && variant === ''
  const contextLength = decide(
    'context length',
    wordOn(quotes, (listed) => listed.contextLength),
    String,
  )
  const longest = decide(
    'max output tokens',
    wordOn(quotes, (listed) => listed.maxCompletionTokens),
    String,
  )
  const retiresOn = isOwn
    ? decide(
        'retirement',
        wordOn(quotes, (listed) => listed.retiresOn),
        String,
      )
    : null
  const { word, overruled } = officialWord({ ...offer, quotes })
  if (overruled.length > 0) decide('price', { kind: 'disputed', said: overruled }, showPrice)
  const price = decide('price', word, showPrice)
  const limits = {
    contextLength: contextLength ?? offer.contextLength,
    maxCompletionTokens: longest ?? offer.maxCompletionTokens,
  }
  const updated: CatalogueRow = {
    ...row,
    ...(isOwn && contextLength !== null ? { contextLength } : {}),
    ...(isOwn && longest !== null ? { maxCompletionTokens: longest } : {}),
    retiresOn: retiresOn ?? row.retiresOn,
    offers: row.offers.map((each) => (each === offer ? { ...offer, ...limits } : each)),
  }
  return price === null ? updated : withPrice(updated, { provider, variant, ...price })
}

/** Units, tiers and variants that no source states stay unchanged. */
function withPrice(row: CatalogueRow, stated: PriceRow): CatalogueRow {
  const isSame = ({ provider, variant }: PriceRow): boolean =>
    provider === stated.provider && variant === stated.variant
  const before = row.prices.find(isSame)
  const tiers = stated.tiers.length > 0 ? stated.tiers : (before?.tiers ?? [])
  const after: PriceRow = { ...stated, ...before, units: { ...before?.units, ...stated.units }, tiers }
  return {
    ...row,
    prices: before === undefined ? [...row.prices, after] : row.prices.map((each) => (isSame(each) ? after : each)),
    details: withDisputedPrices(
      row.details,
      disputedPricesOf(row.details).filter((each) => !isDisputedAt(each, stated)),
    ),
  }
}

function showPrice({ units }: StatedPrice): string {
  return Object.entries(units)
    .map(([unit, usd]) => `${unit} ${usd}`)
    .join(', ')
}
