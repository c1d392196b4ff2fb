import { inputModalities } from '#domain/catalogue/modality.ts'
import type { ModelKind, OutputModality } from '#domain/catalogue/model.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { parseStatedDate } from '../parse-stated-date.ts'
import { listedCount, listedPrice, listedTier, listedUnits, type PriceWords } from './listed-price.ts'
import type { ListedOffer, ReadListing } from './listing.ts'

/** `https://models.dev/api.json`: providers with their models; prices are USD per million tokens. */
export const readModelsDev: ReadListing = (source) => {
  const providers = isJsonObject(source) ? source : {}
  return Object.entries(providers).flatMap(([name, provider]) => {
    const slug = slugs[name] ?? name
    const models = isJsonObject(provider) ? objectAt(provider, 'models') : {}
    return Object.entries(models).flatMap(([id, model]) => (isJsonObject(model) ? [readModel(slug, id, model)] : []))
  })
}

/** Providers with another name at models.dev. */
const slugs: Readonly<Record<string, string>> = {
  google: 'google-ai-studio',
  'google-vertex-anthropic': 'google-vertex',
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
  'novita-ai': 'novita',
  'cloudflare-workers-ai': 'cloudflare',
  zai: 'z-ai',
  zhipuai: 'zhipu-cn',
}

const words: PriceWords = {
  units: {
    input: 'prompt',
    output: 'completion',
    reasoning: 'reasoning',
    cache_read: 'cache_read',
    cache_write: 'cache_write',
    input_audio: 'audio_input',
    output_audio: 'audio_output',
  },
  unitsAsPower: 6,
}

function readModel(provider: string, id: string, model: JsonObject): ListedOffer {
  const cost = objectAt(model, 'cost')
  const limit = objectAt(model, 'limit')
  const modalities = objectAt(model, 'modalities')
  const units = listedUnits(cost, words)
  const tiers = objectsOf(cost['tiers']).flatMap((tier) =>
    listedTier(stringAt(objectAt(tier, 'tier'), 'size'), units, listedUnits(tier, words)),
  )
  const over =
    tiers.length > 0 ? [] : listedTier('200000', units, listedUnits(objectAt(cost, 'context_over_200k'), words))
  const outputs = outputsOf(modalities['output'])
  return {
    provider,
    variant: '',
    upstreamModel: stringAt(model, 'id') ?? id,
    name: stringAt(model, 'name') ?? null,
    kind: kindOf(outputs, units),
    inputModalities: inputsOf(modalities['input']),
    outputModalities: outputs,
    contextLength: listedCount(limit['context']),
    maxCompletionTokens: listedCount(limit['output']),
    price: listedPrice(units, [...tiers, ...over]),
    releaseDate: parseStatedDate(stringAt(model, 'release_date') ?? '', 'first') ?? null,
    retiresOn: null,
  }
}

/**
 * models.dev has no field for the kind. Text models have an output price; embedding models are listed as text without
 * one.
 */
function kindOf(outputs: readonly OutputModality[] | null, units: { completion?: string }): ModelKind | null {
  const isPriced = units.completion !== undefined && units.completion !== '0'
  return outputs?.join() === 'text' && isPriced ? 'chat' : null
}

function inputsOf(value: JsonValue | undefined): readonly string[] | null {
  const stated = Array.isArray(value) ? value.map((modality) => (modality === 'pdf' ? 'file' : modality)) : []
  const known = inputModalities.filter((modality) => stated.includes(modality))
  return known.length === 0 ? null : known
}

function outputsOf(value: JsonValue | undefined): readonly OutputModality[] | null {
  const known = (['text', 'image', 'audio', 'video'] as const).filter(
    (modality) => Array.isArray(value) && value.includes(modality),
  )
  return known.length === 0 ? null : known
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
