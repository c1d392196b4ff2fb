import type { CatalogueRow, IsoDate, PriceRow, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import { inputModalities } from '#domain/catalogue/modality.ts'
import { type ModelKind, modelKinds, outputModalities } from '#domain/catalogue/model.ts'
import { withDisputedPrices } from '#domain/catalogue/disputed-price.ts'
import { authorOf, isModelId } from '#domain/catalogue/model-id.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseDisputedPrices } from './parse-disputed-prices.ts'
import { type PricedOffer, parseOffers } from './parse-offers.ts'
import { parseStatedDate } from './parse-stated-date.ts'
import { parsePurchase, parseStatedPrice } from './parse-stated-price.ts'
import type { RecordReader } from './record-reader.ts'

/** Parses one record of an import file. Problems are noted with the reader; the row must not be used then. */
export function parseModelRecord(reader: RecordReader): CatalogueRow {
  const id = parseId(reader)
  const status = parseChoice(reader, 'status', statuses) ?? 'active'
  const isFree = id.endsWith(':free') || reader.record.free === true
  const model = {
    id,
    defaultProvider: reader.requiredText('provider'),
    upstreamModel: reader.text('upstream_model_id'),
    contextLength: reader.count('context_length'),
    maxCompletionTokens: reader.count('max_completion_tokens'),
  }
  const kind = parseKind(reader)
  const price = parseStatedPrice(reader, isFree)
  const offers = parseOffers(reader, { ...model, kind, isFree, price, purchase: parsePurchase(reader) })
  return {
    ...model,
    name: reader.text('name') ?? id,
    author: authorOf(id),
    kind,
    description: reader.text('description'),
    inputModalities: parseChoices(reader, 'input_modalities', inputModalities),
    outputModalities: parseChoices(reader, 'output_modalities', outputModalities),
    supportedParameters: reader.texts('supported_parameters'),
    aliases: aliasesOf(id, reader.texts('upstream_aliases') ?? []),
    releaseDate: parseDate(reader, 'release_date', 'first'),
    retiresOn: retirementOf(status, parseDate(reader, 'deprecation_date', 'last')),
    listed: status !== 'unverified',
    details: withDisputedPrices(detailsOf(reader.record), parseDisputedPrices(reader, model.defaultProvider)),
    offers: offers.map(({ price: _, ...offer }) => offer),
    prices: pricesOf(model.defaultProvider, price, offers),
  }
}

const statuses = ['active', 'end-of-life', 'deprecation-scheduled', 'deprecated', 'retired', 'unverified'] as const
type Status = (typeof statuses)[number]

function parseId(reader: RecordReader): string {
  const id = reader.requiredText('id')
  if (id !== '' && !isModelId(id)) reader.note(`${reader.path}.id`, 'must be author/name in lowercase')
  // The models of this author are built in.
  if (authorOf(id) === 'test') reader.note(`${reader.path}.id`, 'the author test is reserved')
  const author = reader.text('author')
  if (author !== null && author !== authorOf(id))
    reader.note(`${reader.path}.author`, 'does not match the author in the id')
  return id
}

function parseKind(reader: RecordReader): ModelKind {
  if (reader.requiredText('kind') === '') return 'chat'
  return parseChoice(reader, 'kind', modelKinds) ?? 'chat'
}

function parseChoice<Name extends string>(reader: RecordReader, key: string, names: readonly Name[]): Name | undefined {
  const text = reader.text(key)
  if (text === null) return undefined
  const choice = names.find((name) => name === text)
  if (choice === undefined) reader.note(`${reader.path}.${key}`, `unknown: ${text}`)
  return choice
}

function parseChoices<Name extends string>(reader: RecordReader, key: string, names: readonly Name[]): Name[] {
  const texts = reader.texts(key)
  if (texts === null || texts.length === 0) reader.note(`${reader.path}.${key}`, 'at least one is required')
  const unknown = texts?.find((text) => !names.some((name) => name === text))
  if (unknown !== undefined) reader.note(`${reader.path}.${key}`, `unknown: ${unknown}`)
  return names.filter((name) => texts?.includes(name))
}

function parseDate(reader: RecordReader, key: string, end: 'first' | 'last'): IsoDate | null {
  const text = reader.text(key)
  if (text === null) return null
  const date = parseStatedDate(text, end)
  if (date === undefined) reader.note(`${reader.path}.${key}`, 'must be a date')
  return date ?? null
}

// A date in the past, for models that are known to be retired without a date.
const someDayPast: IsoDate = '2000-01-01'

/**
 * `deprecated` is a flag without a firm date: a date next to it is the earliest possible one, and no request is
 * rejected because of it.
 */
function retirementOf(status: Status, stated: IsoDate | null): IsoDate | null {
  if (status === 'deprecated') return null
  return status === 'retired' ? (stated ?? someDayPast) : stated
}

/** Dated snapshot names at the same price, as ids of this author. */
function aliasesOf(id: string, upstreamAliases: readonly string[]): string[] {
  const names = upstreamAliases.map((alias) => `${authorOf(id)}/${alias.toLowerCase()}`)
  return [...new Set(names)].filter((name) => name !== id && isModelId(name))
}

const detailKeys = [
  'canonical_slug',
  'knowledge_cutoff',
  'tokenizer',
  'license',
  'open_weights',
  'hugging_face_id',
  'max_input_tokens',
  'embedding_dimensions',
  'prompt_caching',
  'reasoning',
  'reasoning_options',
  'reasoning_field',
  'supported_endpoints',
  'supported_voices',
  'default_voice',
  'max_input_characters',
  'upstream_fixed_params',
  'image',
  'video',
  'snapshot_of',
  'alias_of',
] as const

function detailsOf(record: JsonObject): JsonObject {
  return Object.fromEntries(
    detailKeys.flatMap((key) => {
      const value = record[key]
      return value === undefined || value === null ? [] : [[key, value]]
    }),
  )
}

/**
 * The model's own price is kept even if its provider no longer sells it, because listings and receipts still show it.
 */
function pricesOf(defaultProvider: string, own: StatedPrice | null, offers: readonly PricedOffer[]): PriceRow[] {
  const isDefault = (offer: PricedOffer): boolean => offer.provider === defaultProvider && offer.variant === ''
  const isMissing = own !== null && !offers.some(isDefault)
  const ownPrices = isMissing ? [{ provider: defaultProvider, variant: '', ...own }] : []
  const offered = offers.flatMap(({ provider, variant, price }) =>
    price === null ? [] : [{ provider, variant, ...price }],
  )
  return [...ownPrices, ...offered]
}
