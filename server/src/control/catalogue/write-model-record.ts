import type { CatalogueRow, OfferRow, PriceRow, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { baseOf, nameOf } from '#domain/catalogue/model-id.ts'
import type { JsonObject } from '#lib/json.ts'
import { wordOfRuleUnit } from './parse-price-rules.ts'

/** Writes a model as a catalogue file record. Reading the record returns the same row. */
export function writeModelRecord(row: CatalogueRow): JsonObject {
  const price = findPrice(row.prices, { provider: row.defaultProvider, variant: '' })
  return withoutNulls({
    id: row.id,
    name: row.name === row.id ? null : row.name,
    kind: row.kind,
    provider: row.defaultProvider,
    upstream_model_id: row.upstreamModel,
    description: row.description,
    context_length: row.contextLength,
    max_completion_tokens: row.maxCompletionTokens,
    input_modalities: [...row.inputModalities],
    output_modalities: [...row.outputModalities],
    supported_parameters: row.supportedParameters === null ? null : [...row.supportedParameters],
    ...writePrice(price),
    free: price !== undefined && isFree(price) && !row.id.endsWith(':free') ? true : null,
    offers: listed(writeOffers(row)),
    status: row.listed ? null : 'unverified',
    release_date: row.releaseDate,
    deprecation_date: row.retiresOn,
    upstream_aliases: listed(row.aliases.map(nameOf)),
    ...row.details,
  })
}

function writeOffers(row: CatalogueRow): JsonObject[] {
  const isDefault = (offer: OfferRow): boolean => offer.provider === row.defaultProvider && offer.variant === ''
  const plain = row.offers.find(isDefault)
  const others = row.offers.filter((offer) => !isDefault(offer))
  return [
    ...(plain === undefined ? [{ provider: row.defaultProvider, status: 'deprecated' }] : []),
    ...(plain === undefined || isImplied(plain, row) ? [] : [writeOffer(plain, undefined)]),
    ...others.map((offer) => writeOffer(offer, findPrice(row.prices, offer))),
  ]
}

/** A reader adds the default provider's own offer if it equals the model's. */
function isImplied(offer: OfferRow, row: CatalogueRow): boolean {
  return (
    offer.upstreamModel === (row.upstreamModel ?? nameOf(baseOf(row.id))) &&
    offer.contextLength === row.contextLength &&
    offer.maxCompletionTokens === row.maxCompletionTokens &&
    offer.quantization === null &&
    offer.api === null &&
    offer.purchase === undefined
  )
}

function writeOffer(offer: OfferRow, price: StatedPrice | undefined): JsonObject {
  return withoutNulls({
    provider: offer.provider,
    region: offer.variant === '' ? null : offer.variant,
    upstream_model_id: offer.upstreamModel,
    ...writePrice(price),
    context_length: offer.contextLength,
    max_completion_tokens: offer.maxCompletionTokens,
    quantization: offer.quantization,
    api: offer.api,
    purchase: offer.purchase === undefined ? null : withoutNulls(writePrice(offer.purchase)),
  })
}

function writePrice(price: StatedPrice | undefined): JsonObject {
  if (price === undefined) return {}
  const tiers = price.tiers.map(({ abovePromptTokens, units }) => ({
    above_prompt_tokens: abovePromptTokens,
    ...units,
  }))
  const rules = (price.rules ?? []).map(({ unit, usd, when }) => ({ unit: wordOfRuleUnit(unit), usd, ...when }))
  return { pricing: { ...price.units }, pricing_tiers: listed(tiers), pricing_rules: listed(rules) }
}

function isFree({ units, rules = [] }: StatedPrice): boolean {
  return [...Object.values(units), ...rules.map(({ usd }) => usd)].every((text) => text === '0')
}

function findPrice(
  prices: readonly PriceRow[],
  { provider, variant }: Pick<OfferRow, 'provider' | 'variant'>,
): PriceRow | undefined {
  return prices.find((price) => price.provider === provider && price.variant === variant)
}

function listed<Item>(items: Item[]): Item[] | null {
  return items.length === 0 ? null : items
}

function withoutNulls(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined))
}
