export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject

export interface JsonObject {
  [key: string]: JsonValue
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; null if it is invalid, because a simulator records whatever arrives. */
export function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
