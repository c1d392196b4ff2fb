import type { JsonObject } from '#lib/json.ts'

/** Those of a client's other fields that a vendor knows, as sent. */
export function knownOf(extras: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(extras).filter(([name]) => names.includes(name)))
}

/** The names of those that it does not. */
export function unknownOf(extras: JsonObject, names: readonly string[]): string[] {
  return Object.keys(extras).filter((name) => !names.includes(name))
}
