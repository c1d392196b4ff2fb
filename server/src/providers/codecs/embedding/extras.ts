import type { JsonObject } from '#lib/json.ts'

/** The client's other fields that a vendor knows, unchanged. */
export function knownOf(extras: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(extras).filter(([name]) => names.includes(name)))
}

/** The names of the fields that the vendor does not know. */
export function unknownOf(extras: JsonObject, names: readonly string[]): string[] {
  return Object.keys(extras).filter((name) => !names.includes(name))
}
