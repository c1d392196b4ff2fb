import { isNestedDeeperThan } from '#lib/json-depth.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/**
 * The JSON object that a client put into a text, or undefined. Its depth was not judged with the body around it, and
 * Google refuses what nests deeper than 100.
 */
export function parseShallowObject(text: string): JsonObject | undefined {
  return isNestedDeeperThan(Buffer.from(text), depthMax) ? undefined : parseJsonObject(text)
}

/** Leaves room for what is around it in a request. */
const depthMax = 90
