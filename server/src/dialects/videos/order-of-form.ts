import type { JsonObject, JsonValue } from '#lib/json.ts'

/**
 * Converts an order from a form, as OpenAI's SDKs send it, in which everything is a string. Fields whose JSON name is
 * the same keep it, and an invalid number is left for the parser to reject.
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

// The SDKs' form name for `input_reference: { image_url }`.
const referenceField = 'input_reference[image_url]'

function numberIn(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function flagIn(value: JsonValue | undefined): JsonValue | undefined {
  return value === 'true' || value === 'false' ? value === 'true' : value
}
