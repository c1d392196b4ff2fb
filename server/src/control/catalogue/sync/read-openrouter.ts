import { inputModalities } from '#domain/catalogue/modality.ts'
import { type OutputModality, outputModalities } from '#domain/catalogue/model.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { parseStatedDate } from '../parse-stated-date.ts'
import { listedCount, listedPrice, listedTier, listedUnits, type PriceWords } from './listed-price.ts'
import type { ListedOffer, ReadListing } from './listing.ts'

/**
 * `GET https://openrouter.ai/api/v1/models`: OpenRouter's own price for each model, in USD per unit. It does not
 * contain the prices of the models' authors.
 */
export const readOpenRouter: ReadListing = (source) => {
  const models = isJsonObject(source) ? objectsOf(source['data']) : []
  return models.flatMap((model) => {
    const id = stringAt(model, 'id')
    // A suffix such as `:free` is a routing option, not a separate model.
    return id === undefined || id.includes(':') ? [] : [readModel(id, model)]
  })
}

const words: PriceWords = {
  units: {
    prompt: 'prompt',
    completion: 'completion',
    request: 'per_request',
    image: 'per_image_input',
    image_output: 'per_image_output',
    audio: 'audio_input',
    audio_output: 'audio_output',
    input_audio_cache: 'audio_cache_read',
    input_cache_read: 'cache_read',
    input_cache_write: 'cache_write',
    input_cache_write_1h: 'cache_write_1h',
    internal_reasoning: 'reasoning',
    web_search: 'web_search',
  },
  unitsAsPower: 0,
}

function readModel(id: string, model: JsonObject): ListedOffer {
  const pricing = objectAt(model, 'pricing')
  const architecture = objectAt(model, 'architecture')
  const units = withoutZeros(listedUnits(pricing, words))
  // Prices by the hour of the day cannot be imported from this format, so these tiers are skipped.
  const tiers = objectsOf(pricing['overrides']).flatMap((tier) =>
    tier['utc_start'] === undefined && tier['utc_days'] === undefined
      ? listedTier(stringAt(tier, 'min_prompt_tokens'), units, listedUnits(tier, words))
      : [],
  )
  const outputs = outputsOf(architecture['output_modalities'])
  return {
    provider: 'openrouter',
    variant: '',
    upstreamModel: id,
    name: stringAt(model, 'name') ?? null,
    kind: outputs?.includes('text') === true ? 'chat' : null,
    inputModalities: inputsOf(architecture['input_modalities']),
    outputModalities: outputs,
    contextLength: listedCount(model['context_length']),
    maxCompletionTokens: listedCount(objectAt(model, 'top_provider')['max_completion_tokens']),
    price: listedPrice(units, tiers),
    releaseDate: null,
    retiresOn: parseStatedDate((stringAt(model, 'expiration_date') ?? '').slice(0, 10), 'last') ?? null,
  }
}

/** OpenRouter writes zero for units that a model does not have. */
function withoutZeros(units: ReturnType<typeof listedUnits>): ReturnType<typeof listedUnits> {
  return Object.fromEntries(
    Object.entries(units).filter(([unit, text]) => unit === 'prompt' || unit === 'completion' || text !== '0'),
  )
}

function inputsOf(value: JsonValue | undefined): readonly string[] | null {
  const known = inputModalities.filter((modality) => Array.isArray(value) && value.includes(modality))
  return known.length === 0 ? null : known
}

function outputsOf(value: JsonValue | undefined): readonly OutputModality[] | null {
  const known = outputModalities.filter((modality) => Array.isArray(value) && value.includes(modality))
  return known.length === 0 ? null : known
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
