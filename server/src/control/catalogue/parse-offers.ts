import type { OfferRow, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { baseOf, nameOf } from '#domain/catalogue/model-id.ts'
import { parseStatedPrice } from './parse-stated-price.ts'
import type { RecordReader } from './record-reader.ts'

export interface PricedOffer extends OfferRow {
  readonly price: StatedPrice | null
}

export interface OfferedModel {
  readonly id: string
  readonly defaultProvider: string
  readonly upstreamModel: string | null
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly isFree: boolean
  readonly price: StatedPrice | null
}

/**
 * One offer for each host and variant. Sources often quote a host several times; the quote that names the upstream's
 * model wins. The default provider always has a plain offer, at the model's own price, unless the file says that it
 * stopped selling the model.
 */
export function parseOffers(reader: RecordReader, model: OfferedModel): PricedOffer[] {
  const best = new Map<string, Quote>()
  const stopped = new Set<string>()
  for (const offer of reader.objects('offers')) {
    const quote = parseQuote(offer, model)
    if (!isServed(offer)) {
      stopped.add(quote.provider)
      continue
    }
    const key = `${quote.provider}\n${quote.variant}`
    const rival = best.get(key)
    if (rival === undefined || quote.rank > rival.rank) best.set(key, quote)
  }
  const offers = [...best.values()].map(({ rank: _, ...offer }) => offer)
  return withDefaultOffer(offers, model, stopped.has(model.defaultProvider))
}

type Quote = PricedOffer & { readonly rank: number }

function parseQuote(offer: RecordReader, model: OfferedModel): Quote {
  const provider = offer.requiredText('provider')
  const named = offer.text('upstream_model_id')
  return {
    provider,
    variant: variantOf(offer),
    upstreamModel: named ?? model.upstreamModel ?? tailOf(model.id),
    contextLength: offer.count('context_length'),
    maxCompletionTokens: offer.count('max_completion_tokens'),
    quantization: offer.text('quantization'),
    price: parseStatedPrice(offer, model.isFree),
    rank:
      (named === null ? 0 : 8) +
      (provider === model.defaultProvider && named === model.upstreamModel ? 4 : 0) +
      (offer.record.match === undefined ? 2 : 0) +
      (offer.record.status === 'beta' ? 0 : 1),
  }
}

// Some sources call the only place that a host sells from by one of these names.
const plainRegions = new Set(['default', 'base'])

function variantOf(offer: RecordReader): string {
  const region = offer.text('region')
  const parts = [region !== null && plainRegions.has(region) ? null : region, offer.text('service_tier')]
  return parts.filter((part) => part !== null).join('/')
}

const soldStatuses = new Set<unknown>([undefined, null, 'active', 'beta', 'preview'])

// Hosts that take such a model through another interface alone can not be asked in chat form.
const otherInterfaces = new Set<unknown>(['responses', 'completion'])

function isServed(offer: RecordReader): boolean {
  return soldStatuses.has(offer.record.status) && !otherInterfaces.has(offer.record.api)
}

function withDefaultOffer(offers: PricedOffer[], model: OfferedModel, isStopped: boolean): PricedOffer[] {
  const isDefault = (offer: PricedOffer): boolean => offer.provider === model.defaultProvider && offer.variant === ''
  const stated = offers.find(isDefault)
  if (stated === undefined && isStopped) return offers
  const plain: PricedOffer = {
    provider: model.defaultProvider,
    variant: '',
    upstreamModel: stated?.upstreamModel ?? model.upstreamModel ?? tailOf(model.id),
    contextLength: stated?.contextLength ?? model.contextLength,
    maxCompletionTokens: stated?.maxCompletionTokens ?? model.maxCompletionTokens,
    quantization: stated?.quantization ?? null,
    price: model.price ?? stated?.price ?? null,
  }
  return [plain, ...offers.filter((offer) => !isDefault(offer))]
}

/** What most hosts call the model; a suffix is ours and not theirs. */
function tailOf(id: string): string {
  return nameOf(baseOf(id))
}
