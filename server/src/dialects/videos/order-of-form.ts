import type { JsonObject, JsonValue } from '#lib/json.ts'

/**
 * An order as OpenAI's SDKs send it: a form, in which everything is text. What has no other name in JSON keeps its own,
 * and a text that should be a number and is none is left for parsing to refuse.
 */
export function orderOfForm(fields: JsonObject): JsonObject {
  const { seconds, [referenceField]: reference, ...others } = fields
  const order: Record<string, JsonValue | undefined> = { ...others }
  if (seconds !== undefined) order['duration'] ??= seconds
  if (reference !== undefined) order['input_references'] ??= [reference]
  for (const name of ['duration', 'seed']) if (name in order) order[name] = numberIn(order[name])
  for (const name of ['generate_audio', 'watermark']) if (name in order) order[name] = flagIn(order[name])
  return order
}

// How the SDKs write `input_reference: { image_url }` in a form.
const referenceField = 'input_reference[image_url]'

function numberIn(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function flagIn(value: JsonValue | undefined): JsonValue | undefined {
  return value === 'true' || value === 'false' ? value === 'true' : value
}
