import type { ModelKind, OutputModality } from '#domain/catalogue/model.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { parseStatedDate } from '../parse-stated-date.ts'
import { listedCount, listedPrice, listedTier, listedUnits, type PriceWords } from './listed-price.ts'
import type { ListedOffer, ReadListing } from './listing.ts'

/**
 * litellm's `model_prices_and_context_window.json`: maps a name, optionally prefixed with its provider, to prices in
 * USD per unit.
 */
export const readLitellm: ReadListing = (source) => {
  const models = isJsonObject(source) ? source : {}
  return Object.entries(models).flatMap(([name, model]) => (isJsonObject(model) ? readModel(name, model) : []))
}

/** litellm's names for our providers, and the prefixes of their model names. */
const providers: Readonly<Record<string, { slug: string; prefix: string }>> = {
  openai: { slug: 'openai', prefix: '' },
  anthropic: { slug: 'anthropic', prefix: '' },
  gemini: { slug: 'google-ai-studio', prefix: 'gemini/' },
  azure: { slug: 'azure', prefix: 'azure/' },
  bedrock: { slug: 'amazon-bedrock', prefix: '' },
  bedrock_converse: { slug: 'amazon-bedrock', prefix: '' },
  together_ai: { slug: 'together', prefix: 'together_ai/' },
  fireworks_ai: { slug: 'fireworks', prefix: 'fireworks_ai/' },
  zai: { slug: 'z-ai', prefix: 'zai/' },
  dashscope: { slug: 'alibaba', prefix: 'dashscope/' },
  moonshot: { slug: 'moonshotai', prefix: 'moonshot/' },
  fal_ai: { slug: 'fal', prefix: 'fal_ai/' },
  runwayml: { slug: 'runway', prefix: 'runwayml/' },
}

const modes: Readonly<Record<string, ModelKind>> = {
  chat: 'chat',
  embedding: 'embedding',
  image_generation: 'image',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
  video_generation: 'video',
  rerank: 'rerank',
  moderation: 'moderation',
}

const words: PriceWords = {
  units: {
    input_cost_per_token: 'prompt',
    output_cost_per_token: 'completion',
    cache_read_input_token_cost: 'cache_read',
    cache_creation_input_token_cost: 'cache_write',
    cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
    output_cost_per_reasoning_token: 'reasoning',
    input_cost_per_audio_token: 'audio_input',
    output_cost_per_audio_token: 'audio_output',
    input_cost_per_image_token: 'image_input_token',
    output_cost_per_image_token: 'image_output_token',
    output_cost_per_image: 'per_image_output',
    input_cost_per_character: 'per_character',
    input_cost_per_second: 'per_second_input',
    input_cost_per_query: 'per_search',
    output_cost_per_second: 'per_second_output',
    input_cost_per_token_batches: 'batch_prompt',
    output_cost_per_token_batches: 'batch_completion',
    input_cost_per_token_flex: 'flex_prompt',
    output_cost_per_token_flex: 'flex_completion',
    input_cost_per_token_priority: 'priority_prompt',
    output_cost_per_token_priority: 'priority_completion',
  },
  unitsAsPower: 0,
}

function readModel(name: string, model: JsonObject): ListedOffer[] {
  const word = stringAt(model, 'litellm_provider') ?? ''
  const { slug, prefix } = providers[word] ?? { slug: word, prefix: `${word}/` }
  const kind = modes[stringAt(model, 'mode') ?? '']
  // Names in other formats are prices of regions, sizes or steps.
  if (kind === undefined || !name.startsWith(prefix)) return []
  const place = placeOf(slug, name.slice(prefix.length))
  if (place === undefined) return []
  const units = unitsOf(kind, model)
  return [
    {
      provider: slug,
      ...place,
      name: null,
      kind,
      inputModalities: null,
      outputModalities: outputsOf[kind],
      // litellm states the maximum prompt length, which is not every provider's context length.
      contextLength: null,
      maxCompletionTokens: kind === 'chat' ? listedCount(model['max_output_tokens']) : null,
      price: listedPrice(units, tiersOf(model, units)),
      releaseDate: null,
      retiresOn: parseStatedDate(stringAt(model, 'deprecation_date') ?? '', 'last') ?? null,
    },
  ]
}

/** Azure model names have a region prefix if the region has its own price; elsewhere a slash is part of the name. */
function placeOf(slug: string, name: string): Pick<ListedOffer, 'variant' | 'upstreamModel'> | undefined {
  if (slug === 'amazon-bedrock' && name.includes('/')) return undefined
  if (slug !== 'azure' || !name.includes('/')) return { variant: '', upstreamModel: name }
  const [region = '', ...rest] = name.split('/')
  return region === 'us' || region === 'eu' ? { variant: region, upstreamModel: rest.join('/') } : undefined
}

/** A zero output price is dropped, because vectors have no output price. */
function unitsOf(kind: ModelKind, model: JsonObject): ReturnType<typeof listedUnits> {
  const units = listedUnits(model, words)
  return kind === 'chat' ? units : Object.fromEntries(Object.entries(units).filter(([, text]) => text !== '0'))
}

const tierForm = /^input_cost_per_token_above_(\d+)k_tokens$/

function tiersOf(model: JsonObject, base: ReturnType<typeof listedUnits>): ReturnType<typeof listedTier> {
  return Object.keys(model).flatMap((key) => {
    const thousands = tierForm.exec(key)?.[1]
    if (thousands === undefined) return []
    const tierWords = [
      'input_cost_per_token',
      'output_cost_per_token',
      'cache_read_input_token_cost',
      'cache_creation_input_token_cost',
    ]
    const units = Object.fromEntries(
      tierWords.flatMap((word) => {
        const unit = words.units[word]
        return unit === undefined ? [] : [[`${word}_above_${thousands}k_tokens`, unit]]
      }),
    )
    return listedTier(`${thousands}000`, base, listedUnits(model, { units, unitsAsPower: 0 }))
  })
}

const outputsOf: Readonly<Record<ModelKind, readonly OutputModality[] | null>> = {
  chat: null,
  embedding: ['embeddings'],
  image: ['image'],
  speech: ['speech'],
  transcription: ['transcription'],
  video: ['video'],
  rerank: ['rerank'],
  moderation: ['moderation'],
  realtime: null,
}
