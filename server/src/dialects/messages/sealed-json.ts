import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'

/** Encodes a value that a client stores and sends back, in characters that are safe in ids and signatures. */
export function sealJson(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Decodes the value. Returns undefined for text that is not ours or was damaged. */
export function unsealJson(text: string): JsonObject | undefined {
  if (!base64UrlForm.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // The nesting of a body is checked before it is parsed; the embedded data must not be deeper either.
  return isNestedDeeperThan(bytes, depthMax) ? undefined : parseJsonObject(bytes.toString('utf8'))
}

const base64UrlForm = /^[A-Za-z0-9_-]+$/
const depthMax = 64
