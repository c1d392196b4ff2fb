import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'

/** A value that a client keeps for us and sends back, in characters that are safe in ids and signatures. */
export function sealJson(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** What was sealed, or undefined for text that never came from us or came back damaged. */
export function unsealJson(text: string): JsonObject | undefined {
  if (!base64UrlForm.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // The depth of a body is measured before it is parsed; what hides in it must not be deeper either.
  return isNestedDeeperThan(bytes, depthMax) ? undefined : parseJsonObject(bytes.toString('utf8'))
}

const base64UrlForm = /^[A-Za-z0-9_-]+$/
const depthMax = 64
