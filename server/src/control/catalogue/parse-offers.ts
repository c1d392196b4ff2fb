import { purposeOfKind } from '#domain/catalogue/can-charge.ts'
import type { OfferRow, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { type ModelKind, type UpstreamApi, upstreamApis } from '#domain/catalogue/model.ts'
import { baseOf, nameOf } from '#domain/catalogue/model-id.ts'
import { statesPriceFor } from '#domain/money/price-list.ts'
import { parsePurchase, parseStatedPrice } from './parse-stated-price.ts'
import type { RecordReader } from './record-reader.ts'

export interface PricedOffer extends OfferRow {
  readonly price: StatedPrice | null
}

interface OfferedModel {
  readonly id: string
  readonly kind: ModelKind
  readonly defaultProvider: string
  readonly upstreamModel: string | null
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly isFree: boolean
  readonly price: StatedPrice | null
  /** What the operator pays the default provider, if the record of the model states it. */
  readonly purchase: StatedPrice | null
}

/**
 * One offer per provider and variant. Sources often quote a provider several times; the quote that names the upstream
 * model wins, and among equals the one that prices the model's output. The default provider always has a plain offer at
 * the model's own price, unless the file says that it stopped selling the model.
 */
export function parseOffers(reader: RecordReader, model: OfferedModel): PricedOffer[] {
  const best = new Map<string, Quote>()
  const stopped = new Set<string>()
  const apis = new Map<string, UpstreamApi>()
  for (const offer of reader.objects('offers')) {
    const quote = parseQuote(offer, model)
    if (!isServed(offer)) {
      stopped.add(quote.provider)
      continue
    }
    if (quote.api !== null) apis.set(quote.provider, quote.api)
    const key = `${quote.provider}\n${quote.variant}`
    const rival = best.get(key)
    if (rival === undefined || quote.rank > rival.rank) best.set(key, quote)
  }
  const quotes = [...best.values()]
  const offers = quotes.map(({ rank: _, named, ...offer }) => ({
    ...offer,
    upstreamModel: named ?? nameAtHost(quotes, offer) ?? model.upstreamModel ?? tailOf(model.id),
    // A source that names no API does not override one that does.
    api: apis.get(offer.provider) ?? null,
  }))
  return withDefaultOffer(offers, model, stopped.has(model.defaultProvider))
}

interface Quote extends Omit<PricedOffer, 'upstreamModel'> {
  /** The upstream's name for the model, if the quote has one. */
  readonly named: string | null
  readonly rank: number
}

function parseQuote(offer: RecordReader, model: OfferedModel): Quote {
  const provider = offer.requiredText('provider')
  const named = offer.text('upstream_model_id')
  const price = parseStatedPrice(offer, model.isFree)
  return {
    provider,
    variant: variantOf(offer, named),
    named,
    contextLength: offer.count('context_length'),
    maxCompletionTokens: offer.count('max_completion_tokens'),
    quantization: offer.text('quantization'),
    api: apiOf(offer),
    price,
    ...purchaseOf(parsePurchase(offer)),
    rank:
      (named === null ? 0 : 16) +
      (provider === model.defaultProvider && named === model.upstreamModel ? 8 : 0) +
      (offer.record.match === undefined ? 4 : 0) +
      (offer.record.status === 'beta' ? 0 : 2) +
      (pricesKind(price, model.kind) ? 1 : 0),
  }
}

// Names that some sources use for a provider's only region.
const plainRegions = new Set(['default', 'base'])

function variantOf(offer: RecordReader, named: string | null): string {
  const region = offer.text('region') ?? profileArea.exec(named ?? '')?.[1] ?? null
  const parts = [region !== null && plainRegions.has(region) ? null : region, offer.text('service_tier')]
  return parts.filter((part) => part !== null).join('/')
}

/**
 * The id of an inference profile starts with its area, then the author and the name: `eu.anthropic.claude-sonnet-5`.
 */
const profileArea = /^(us-gov|us|eu|apac|jp|au|ca|global)\.[a-z0-9]+\./

/**
 * The provider's name for the model in other quotes: in the quote of the enclosing area, otherwise in the plain one.
 */
function nameAtHost(
  quotes: readonly Quote[],
  { provider, variant }: Pick<Quote, 'provider' | 'variant'>,
): string | null {
  const others = quotes.filter((quote) => quote.provider === provider && quote.named !== null)
  const around = others.find((quote) => quote.variant !== '' && variant.startsWith(`${quote.variant}-`))
  return (around ?? others.find((quote) => quote.variant === ''))?.named ?? null
}

const soldStatuses = new Set<unknown>([undefined, null, 'active', 'beta', 'preview'])

function isServed(offer: RecordReader): boolean {
  // The gateway does not support the legacy completions API.
  return soldStatuses.has(offer.record.status) && offer.record.api !== 'completion'
}

function apiOf(offer: RecordReader): UpstreamApi | null {
  return upstreamApis.find((api) => api === offer.record.api) ?? null
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
    api: stated?.api ?? null,
    price: ownPrice(model, stated?.price ?? null),
    ...purchaseOf(model.purchase ?? stated?.purchase),
  }
  return [plain, ...offers.filter((offer) => !isDefault(offer))]
}

function purchaseOf(purchase: StatedPrice | null | undefined): { purchase?: StatedPrice } {
  return purchase === null || purchase === undefined ? {} : { purchase }
}

/** Returns the model's own price, unless the stated price is the same plus the units that this kind of model needs. */
function ownPrice({ price, kind }: OfferedModel, stated: StatedPrice | null): StatedPrice | null {
  if (price === null || stated === null) return price ?? stated
  const isPart = Object.entries(price.units).every(([unit, text]) => own(stated.units, unit) === text)
  return isPart && !pricesKind(price, kind) && pricesKind(stated, kind) ? stated : price
}

function own(units: Readonly<Record<string, string>>, unit: string): string | undefined {
  return units[unit]
}

/** This does not distinguish prices of text models, because all of them price text. */
function pricesKind(price: StatedPrice | null, kind: ModelKind): boolean {
  const purpose = purposeOfKind(kind)
  return price !== null && purpose !== 'text' && statesPriceFor(purpose, price)
}

/** The name that most providers use for the model; a suffix is ours, not theirs. */
function tailOf(id: string): string {
  return nameOf(baseOf(id))
}
