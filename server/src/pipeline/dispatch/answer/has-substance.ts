import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'

/** Whether a chunk has content, beyond announcing the assistant. */
export function hasSubstance(chunk: JsonObject): boolean {
  if (!Array.isArray(chunk.choices)) return false
  return chunk.choices.some((choice) => {
    if (!isJsonObject(choice)) return false
    const delta = objectAt(choice, 'delta')
    return Object.keys(delta).some((key) => key !== 'role' && isSaid(delta[key]))
  })
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
