import type { JsonObject, JsonValue } from '#lib/json.ts'

/** Returns the object with one member changed, or the same object if nothing changed. */
export function changeMember(parent: JsonObject, key: string, change: (value: JsonValue) => JsonValue): JsonObject {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined
  if (value === undefined) return parent
  const changed = change(value)
  return changed === value ? parent : { ...parent, [key]: changed }
}

/**
 * Returns the array with each item changed, or the same array if nothing changed. A value that is not an array is
 * returned unchanged.
 */
export function changeItems(list: JsonValue, change: (item: JsonValue) => JsonValue): JsonValue {
  if (!Array.isArray(list)) return list
  const changed = list.map(change)
  return changed.some((item, index) => item !== list[index]) ? changed : list
}
