export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue | undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member as an object, or an empty object, to read optional details without a chain of checks. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key]
  return isJsonObject(value) ? value : {}
}

/** The objects in an array: the array itself if it has nothing else. Empty if it is not an array. */
export function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(list)) return []
  return list.every(isJsonObject) ? list : list.filter(isJsonObject)
}

export function stringAt(parent: JsonObject, key: string): string | undefined {
  const value = parent[key]
  return typeof value === 'string' ? value : undefined
}

/** A count as vendors send it: a non-negative integer, otherwise undefined. */
export function countAt(parent: JsonObject, key: string): number | undefined {
  const value = parent[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The parsed text if it is a JSON object, otherwise undefined: for bytes that a vendor sent. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
