import type { CanonicalCall, ReasoningWish, ResponseFormat, Sampling } from '#domain/inference/call.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { readItems } from './read-items.ts'
import { readToolChoice, readTools } from './read-tools.ts'

export function responsesToCanonical(call: DialectCall): CanonicalCall {
  const { body } = call
  const { system, turns } = readItems(body.instructions, body.input)
  const tools = readTools(body)
  return {
    system,
    turns,
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    parallelToolCalls:
      tools.length > 0 && typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : null,
    maxTokens: call.maxTokens,
    choiceCount: 1,
    sampling: readSampling(body),
    reasoning: readReasoningWish(body.reasoning),
    responseFormat: readResponseFormat(body),
    stream: call.stream,
    endUser: stringAt(body, 'user') ?? stringAt(body, 'safety_identifier') ?? null,
    extras: readExtras(body),
  }
}

function readSampling(body: JsonObject): Sampling {
  const sampling: { -readonly [Name in keyof Sampling]: Sampling[Name] } = {}
  for (const [name, field] of numberFields) {
    const value = body[field]
    if (typeof value === 'number') sampling[name] = value
  }
  const stop = readStop(body.stop)
  if (stop.length > 0) sampling.stop = stop
  return sampling
}

const numberFields = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['minP', 'min_p'],
  ['topA', 'top_a'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['repetitionPenalty', 'repetition_penalty'],
  ['seed', 'seed'],
] as const

function readStop(stop: JsonValue | undefined): string[] {
  if (typeof stop === 'string') return [stop]
  return Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : []
}

/** Returns null if nothing is requested: an empty object requests nothing. */
function readReasoningWish(reasoning: JsonValue | undefined): ReasoningWish | null {
  if (!isJsonObject(reasoning)) return null
  const effort = stringAt(reasoning, 'effort')
  const enabled = effort === 'none' ? false : reasoning.enabled
  const budgetTokens = countAt(reasoning, 'max_tokens')
  const summary = stringAt(reasoning, 'summary')
  const wish: ReasoningWish = {
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(effort === undefined ? {} : { effort }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(typeof reasoning.exclude === 'boolean' ? { exclude: reasoning.exclude } : {}),
    ...(summary === undefined ? {} : { summary }),
  }
  return Object.keys(wish).length === 0 ? null : wish
}

/** From `text.format`, where the schema is flat, or from `response_format`, where it may be nested. */
export function readResponseFormat(body: JsonObject): ResponseFormat | null {
  const flat = objectAt(body, 'text').format
  const format = isJsonObject(flat) ? flat : body.response_format
  if (!isJsonObject(format)) return null
  if (format.type === 'json_object') return { kind: 'json' }
  if (format.type !== 'json_schema') return null
  const definition = isJsonObject(format.json_schema) ? format.json_schema : format
  const description = stringAt(definition, 'description')
  return {
    kind: 'schema',
    name: stringAt(definition, 'name') ?? 'answer',
    schema: objectAt(definition, 'schema'),
    ...(typeof definition.strict === 'boolean' ? { strict: definition.strict } : {}),
    ...(description === undefined ? {} : { description }),
  }
}

function readExtras(body: JsonObject): JsonObject {
  const extras: JsonObject = {}
  for (const [name, value] of Object.entries(body)) if (!placed.has(name)) extras[name] = value
  const verbosity = objectAt(body, 'text').verbosity
  if (verbosity !== undefined && verbosity !== null) extras.verbosity = verbosity
  return extras
}

/** Fields that are read explicitly, and fields that only apply if responses are stored. */
const placed = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'max_output_tokens',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'response_format',
  'reasoning',
  'user',
  'stop',
  ...numberFields.map(([, field]) => field),
  'previous_response_id',
  'store',
  'background',
  'truncation',
  'include',
  'client_metadata',
  'metadata',
  'conversation',
  'prompt',
  'max_tool_calls',
  '__proto__',
])
