import { isJsonObject, type JsonValue } from './json.ts'

// The rest is not read: an upstream may send a whole page.
const charactersMax = 4_000

/**
 * The human-readable part of a body in any form: the strings of JSON, a page without its tags, or the plain text. JSON
 * strings are decoded, so that a quoted prompt is found in them.
 */
export function wordsOfBody(body: string): string {
  const texts = textsOf(body)
  const plain = texts ?? (body.trimStart().startsWith('<') ? body.replace(/<[^<>]{0,2000}>/g, ' ') : body)
  return plain.replace(/\s+/g, ' ').trim().slice(0, charactersMax).toWellFormed()
}

function textsOf(body: string): string | null {
  try {
    return stringsIn(JSON.parse(body) as JsonValue).join(' ')
  } catch {
    return null
  }
}

function stringsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(stringsIn) : []
}
