import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'

/**
 * JSON Web Tokens: a header that decodes to JSON and names an algorithm, then claims or the parts of an encrypted
 * token.
 */
export const findJsonWebTokens: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: token } of text.matchAll(tokenPattern)) {
    const length = lengthOfToken(token)
    if (length !== undefined) found.push({ start: index, end: index + length })
  }
  return found
}

/** Base64url parts separated by dots. Every header begins with `{"` or `{ `, which determines the first letters. */
const tokenPattern = /(?<![A-Za-z0-9_-])e[yw][A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}/g

function lengthOfToken(token: string): number | undefined {
  const parts = token.split('.')
  const header = decode(parts[0] ?? '')
  if (header === undefined || typeof header.alg !== 'string') return undefined
  if (typeof header.enc === 'string') return parts.length === 5 ? token.length : undefined
  const [first = '', claims = '', signature = ''] = parts
  // A detached payload is empty; a signature is empty only if the header says so.
  if (claims !== '' && decode(claims) === undefined && header.b64 !== false) return undefined
  if (signature === '' && header.alg.toLowerCase() !== 'none') return undefined
  if (signature !== '' && signature.length < 16) return undefined
  return first.length + claims.length + signature.length + 2
}

function decode(part: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
