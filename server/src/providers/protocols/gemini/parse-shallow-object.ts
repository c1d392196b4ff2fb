import { isNestedDeeperThan } from '#lib/json-depth.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/**
 * Parses a JSON object that a client put into a string, or returns undefined. Its depth was not checked with the body
 * around it, and Google rejects nesting deeper than 100.
 */
export function parseShallowObject(text: string): JsonObject | undefined {
  return isNestedDeeperThan(Buffer.from(text), depthMax) ? undefined : parseJsonObject(text)
}

/** Leaves room for the nesting of the request around the object. */
const depthMax = 90
