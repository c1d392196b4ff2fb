import type { DisputedPrice, PriceQuote } from '../../server/src/domain/catalogue/disputed-price.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../server/src/lib/json.ts'

/** A disputed price and the provider's name for the model; null means every name. */
export interface Dispute extends DisputedPrice {
  readonly upstreamModel: string | null
}

/**
 * The prices of a model that the sources disagree on: those that the facts' own comparison found, and those that
 * contradict a later listing.
 */
export function findDisputes(record: JsonObject, disagreements: JsonObject): Dispute[] {
  const id = stringAt(record, 'id') ?? ''
  const own = (key: string): JsonObject[] => objectsOf(disagreements[key]).filter((each) => each['id'] === id)
  return [
    ...own('native_price_disagreements').map((each) => ({
      provider: stringAt(each, 'provider') ?? '',
      upstreamModel: null,
      quotes: [
        ...Object.entries(objectAt(each, 'quotes')).map(([source, quote]) => quoteOf(source, quote)),
        ...(isJsonObject(each[august]) ? [quoteOf('openrouter 2026-08-21', each[august])] : []),
      ],
    })),
    ...own('same_host_disagreements').map((each) => ({
      provider: stringAt(each, 'provider') ?? '',
      upstreamModel: stringAt(each, 'upstream_model_id') ?? null,
      quotes: [quoteOf('litellm', each['litellm']), quoteOf('models.dev', each['models_dev'])],
    })),
    ...laterListings(record),
  ]
}

const august = 'openrouter_listing_2026_08_21'

function laterListings(record: JsonObject): Dispute[] {
  const used = quoteOf(sourcesOf(record), record['pricing'])
  return ['2026-08-21', '2026-09-17'].flatMap((date) => {
    const listing = record[`openrouter_price_${date.replaceAll('-', '_')}`]
    const later = quoteOf(`openrouter ${date}`, listing)
    if (!isJsonObject(listing) || isSame(used, later)) return []
    return [{ provider: stringAt(record, 'provider') ?? '', upstreamModel: null, quotes: [used, later] }]
  })
}

/** The sources of a price. The facts name a provider and a source, or a list of sources. */
function sourcesOf({ pricing_from: from, source }: JsonObject): string {
  if (typeof from === 'string') return /\((.+)\)$/.exec(from)?.[1] ?? from
  return Array.isArray(source) ? source.join(', ') : ''
}

function quoteOf(source: string, quote: JsonValue | undefined): PriceQuote {
  const pricing = isJsonObject(quote) ? quote : {}
  const units = (['prompt', 'completion'] as const).flatMap((unit) => {
    const text = stringAt(pricing, unit)
    return text === undefined ? [] : [[unit, text] as const]
  })
  return { source, units: Object.fromEntries(units) }
}

function isSame(left: PriceQuote, right: PriceQuote): boolean {
  return left.units.prompt === right.units.prompt && left.units.completion === right.units.completion
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
