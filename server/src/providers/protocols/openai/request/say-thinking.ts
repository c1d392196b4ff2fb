import { reasoningWishOf } from '#domain/inference/reasoning-wish.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { thinkingFields } from './thinking-fields.ts'
import { wishFields } from './wish-fields.ts'

/**
 * Translates a thinking option to the upstream's field. A field that the upstream accepts stays as the client wrote it.
 * Otherwise the option is set in the upstream's own field. Returns the names of fields that could not be translated.
 */
export function sayThinking(body: JsonObject, target: OpenAiTarget): string[] {
  const { openai } = target.vendor
  const said = thinkingFields.filter((name) => body[name] !== undefined && body[name] !== null)
  if (said.length === 0) return []
  const foreign = said.filter((name) => openai.takes?.has(name) === false)
  const isHeard = foreign.length < said.length
  const wish = isHeard || foreign.length === 0 ? null : reasoningWishOf(body)
  for (const name of foreign) delete body[name]
  const fields = wish === null ? {} : wishFields(wish, target)
  Object.assign(body, fields)
  const lost = Object.keys(fields).length === 0 ? [...foreign] : []
  return fitEffort(body, openai) ? lost : [...lost, 'reasoning_effort']
}

/** Whether the upstream accepts this effort. If not, the nearest accepted one is sent, or none. */
function fitEffort(body: JsonObject, { efforts }: OpenAiQuirks): boolean {
  const { reasoning_effort: word } = body
  if (efforts === undefined || typeof word !== 'string' || efforts.includes(word)) return true
  const nearest = nearestEffort.get(word)
  if (nearest === undefined) delete body.reasoning_effort
  else body.reasoning_effort = nearest
  return false
}

const nearestEffort: ReadonlyMap<string, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])
