import type { JsonObject, JsonValue } from '#lib/json.ts'

/** The object with one member changed; the same object where nothing came of it. */
export function changeMember(parent: JsonObject, key: string, change: (value: JsonValue) => JsonValue): JsonObject {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined
  if (value === undefined) return parent
  const changed = change(value)
  return changed === value ? parent : { ...parent, [key]: changed }
}

/** The list with each of its items changed; the same list where nothing came of it, and what is no list as it is. */
export function changeItems(list: JsonValue, change: (item: JsonValue) => JsonValue): JsonValue {
  if (!Array.isArray(list)) return list
  const changed = list.map(change)
  return changed.some((item, index) => item !== list[index]) ? changed : list
}
