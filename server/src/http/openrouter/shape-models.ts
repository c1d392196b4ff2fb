import { parseJsonObject, type JsonObject } from '#lib/json.ts'
import { useRecent } from '#lib/set-bounded.ts'
import { formatUnitPrice, parsePerMillion } from '#domain/money/unit-price.ts'
import type { ModelListView, ModelOffersView, ModelView, Pricing, PricingVariant } from '../models/model-schema.ts'
import { isPerMillion } from '../models/render-pricing.ts'

/** Listings of a few filters. A listing is text that is the same for many clients, and takes long to change. */
const listingsMax = 4

/** Creates the function that gives a listing OpenRouter's shape. */
export function createShapeModelList(): (listing: string) => string {
  const known = new Map<string, string>()
  return (listing) => useRecent(known, listing, () => shapeList(listing), listingsMax)
}

function shapeList(listing: string): string {
  const view = parseJsonObject(listing) as unknown as ModelListView
  return JSON.stringify({ ...view, data: view.data.map(shapeModel) })
}

export function shapeModel(view: ModelView): JsonObject {
  const { description, architecture, pricing, pricing_variants: variants, supported_parameters: parameters } = view
  const { tokenizer, ...rest } = architecture
  return {
    ...without(view, 'description'),
    ...(description === null ? {} : { description }),
    architecture: { ...rest, ...(tokenizer === null ? {} : { tokenizer }) },
    pricing: perToken(pricing),
    ...(variants === undefined ? {} : { pricing_variants: variants.map(variantPerToken) }),
    supported_parameters: parameters ?? [],
  }
}

export function shapeModelOffers({ data }: ModelOffersView): JsonObject {
  const endpoints = data.endpoints.map((offer) => ({
    ...offer,
    model_id: data.id,
    model_name: data.name,
    context_length: offer.context_length ?? 0,
    max_prompt_tokens: null,
    pricing: perToken(offer.pricing),
    supports_implicit_caching: offer.pricing.input_cache_read !== undefined,
    supports_tool_choice: toolChoicesOf(offer.supported_parameters),
    latency_last_30m: null,
    throughput_last_30m: null,
    uptime_last_1d: null,
    uptime_last_30m: null,
    uptime_last_5m: null,
  }))
  return { data: { ...data, description: data.description ?? '', endpoints } }
}

function toolChoicesOf(parameters: readonly string[]): JsonObject {
  const isChosen = parameters.includes('tool_choice')
  return { auto: isChosen || parameters.includes('tools'), function: isChosen, none: isChosen, required: isChosen }
}

function perToken(pricing: Pricing): JsonObject {
  return Object.fromEntries(Object.entries(pricing).map(([name, price]) => [name, priceOf(name, price)]))
}

function variantPerToken({ price, usd, when }: PricingVariant): JsonObject {
  return { price, usd: priceOf(price, usd), when }
}

function priceOf(name: string, price: string): string {
  return isPerMillion(name) ? formatUnitPrice(parsePerMillion(price)) : price
}

function without<View extends object>(view: View, name: keyof View): Omit<View, typeof name> {
  const { [name]: _dropped, ...rest } = view
  return rest
}
