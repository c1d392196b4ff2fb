import { isEssential } from '#domain/inference/essential-fields.ts'
import {
  type ModelOverrides,
  outputCapFields,
  samplingForms,
  thinkingForms,
  type ThinkingForm,
  thoughtHistories,
  type TraitOverrides,
} from '#domain/routing/trait-overrides.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { parseFlag, parseTexts } from '../read-fields.ts'
import { parseForms } from './parse-forms.ts'

/** The vendor whose traits are overridden. */
export interface OverriddenVendor {
  readonly slug: string
  /** Its protocols, or `none` if it only makes media. */
  readonly protocols: readonly string[]
}

const rowsMax = 100
const fieldsMax = 50

/** Parses all overrides of an account. Throws errors worded for an operator. */
export function parseOverrides(value: JsonValue, vendor: OverriddenVendor): ModelOverrides[] {
  if (!Array.isArray(value)) throw malformed('overrides must be an array; send an empty array to clear it.')
  if (value.length > rowsMax) throw malformed(`An account can have at most ${rowsMax} overrides.`)
  const rows = value.map((row) => parseRow(row, vendor))
  const models = rows.map(({ model = 'all models' }) => model)
  const twice = models.find((model, position) => models.indexOf(model) !== position)
  if (twice !== undefined) throw malformed(`Two overrides apply to ${twice}. Merge them into one.`)
  return rows
}

function parseRow(value: JsonValue, vendor: OverriddenVendor): ModelOverrides {
  if (!isJsonObject(value)) throw malformed('An override must be an object.')
  const { model, ...given } = value
  assertTraits(Object.keys(given), vendor)
  const { leaveOut, send, thinking, efforts, outputCap, thoughts, sampling, canRest, canBeForced, ...forms } = given
  return {
    ...(model === undefined ? {} : { model: parseModel(model) }),
    ...(leaveOut === undefined ? {} : { leaveOut: parsePaths(leaveOut) }),
    ...(send === undefined ? {} : { send: parsePlaces(send) }),
    ...(thinking === undefined ? {} : { thinking: parseThinking(thinking, vendor) }),
    ...(efforts === undefined ? {} : { efforts: parseEfforts(efforts) }),
    ...(outputCap === undefined ? {} : { outputCap: parseChoice(outputCap, 'outputCap', outputCapFields) }),
    ...(thoughts === undefined ? {} : { thoughts: parseChoice(thoughts, 'thoughts', thoughtHistories) }),
    ...(sampling === undefined ? {} : { sampling: parseChoice(sampling, 'sampling', samplingForms) }),
    ...(canRest === undefined ? {} : { canRest: parseFlag(canRest, 'canRest') }),
    ...(canBeForced === undefined ? {} : { canBeForced: parseFlag(canBeForced, 'canBeForced') }),
    ...parseForms(forms),
  }
}

const claude = ['anthropic', 'bedrock']

/** The protocols in which a trait applies; null for all. */
const knownTo: Readonly<Record<keyof TraitOverrides, readonly string[] | null>> = {
  leaveOut: null,
  send: null,
  thinking: ['openai', 'gemini', ...claude],
  efforts: ['openai'],
  outputCap: ['openai'],
  thoughts: ['openai'],
  sampling: claude,
  canRest: claude,
  canBeForced: claude,
  // These traits apply to every protocol, because every account may create images or videos.
  aspectRatios: null,
  sizes: null,
  durations: null,
}
const protocolsByTrait: ReadonlyMap<string, readonly string[] | null> = new Map(Object.entries(knownTo))

function assertTraits(names: readonly string[], { slug, protocols }: OverriddenVendor): void {
  const known = [...protocolsByTrait.keys()].join(', ')
  if (names.length === 0) throw malformed(`An override must set at least one trait: ${known}.`)
  for (const name of names) {
    const spoken = protocolsByTrait.get(name)
    if (spoken === undefined) throw malformed(`Unknown trait ${name}. Traits: ${known}.`)
    if (spoken === null || protocols.some((protocol) => spoken.includes(protocol))) continue
    throw malformed(
      `${name} has no effect for ${slug}; it only applies to providers that use ${spoken.join(' or ')}. Use leaveOut or send to name the fields.`,
    )
  }
}

const modelForm = /^(?!\*$)[^\s*\p{Cc}]{0,199}\*?$/u

function parseModel(value: JsonValue): string {
  if (typeof value !== 'string' || value === '' || !modelForm.test(value)) {
    throw malformed("model must be the provider's model name or a catalogue model id, optionally ending in *.")
  }
  return value
}

function parsePaths(value: JsonValue): string[] {
  const paths = parseTexts(value, 'leaveOut')
  if (paths.length > fieldsMax) throw malformed(`leaveOut can have at most ${fieldsMax} fields.`)
  return paths.map((path) => parsePath(path, 'leaveOut'))
}

function parsePlaces(value: JsonValue): Record<string, string> {
  const places = isJsonObject(value) ? Object.entries(value) : []
  if (places.length === 0 || places.length > fieldsMax) {
    throw malformed(`send must be an object that maps 1 to ${fieldsMax} client fields to their path in the request.`)
  }
  return Object.fromEntries(
    places.map(([field, place]) => [
      parsePath(field, 'send'),
      parsePath(typeof place === 'string' ? place : '', 'send'),
    ]),
  )
}

// Names cannot begin with an underscore, because names such as `__proto__` are special in JavaScript.
const pathForm = /^[A-Za-z][\w-]{0,99}(?:\.[A-Za-z][\w-]{0,99}){0,3}$/

function parsePath(path: string, trait: string): string {
  if (!pathForm.test(path)) {
    throw malformed(`${trait}: '${path}' is not a field name such as top_k or generationConfig.topK.`)
  }
  if (isEssential(path)) {
    throw malformed(`${trait}: ${path} can't be overridden, because the request or its price depends on it.`)
  }
  return path
}

/** The thinking formats of each protocol. */
const formsOf: ReadonlyMap<string, readonly ThinkingForm[]> = new Map([
  ['openai', ['reasoning_effort', 'reasoning', 'reasoning_enabled', 'thinking', 'enable_thinking']],
  ['anthropic', ['budget', 'adaptive']],
  ['bedrock', ['budget', 'adaptive']],
  ['gemini', ['budget', 'level']],
])

function parseThinking(value: JsonValue, { slug, protocols }: OverriddenVendor): ThinkingForm {
  const form = parseChoice(value, 'thinking', thinkingForms)
  const known = [...new Set(protocols.flatMap((protocol) => formsOf.get(protocol) ?? []))]
  if (!known.includes(form)) throw malformed(`${slug} supports the thinking forms ${known.join(', ')}, not ${form}.`)
  return form
}

function parseEfforts(value: JsonValue): string[] {
  const words = parseTexts(value, 'efforts')
  if (words.length === 0 || words.length > fieldsMax || words.some((word) => !/^[a-z][a-z_-]{0,19}$/.test(word))) {
    throw malformed('efforts must be strings such as low, medium, high.')
  }
  return words
}

function parseChoice<Choice extends string>(value: JsonValue, name: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw malformed(`${name} must be one of ${choices.join(', ')}.`)
  return chosen
}
