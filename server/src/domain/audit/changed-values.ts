import type { JsonObject } from '#lib/json.ts'

/** The differences between two descriptions of one object; null if there are none. */
export function changedValues(
  before: JsonObject,
  after: JsonObject,
): { readonly before: JsonObject; readonly after: JsonObject } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return null
  const pick = (values: JsonObject): JsonObject => Object.fromEntries(changed.map((name) => [name, values[name]]))
  return { before: pick(before), after: pick(after) }
}
