const blank = 32
const quote = 34
const comma = 44
const zero = 48
const nine = 57
const colon = 58
const backslash = 92
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/** Limits on JSON text. */
export interface JsonLimits {
  /** Nesting of objects and arrays. */
  readonly depthMax: number
  /** Values and names together, except numbers in arrays. */
  readonly nodesMax: number
  /** Numbers followed by a comma: they cost a parser a third of other values. */
  readonly numbersMax: number
  /** Names in one object. */
  readonly namesMax: number
  /** Whether the name `__proto__` is a breach. */
  readonly forbidsProto: boolean
}

export type JsonVerdict =
  /** `longTexts` are the long strings among the values, in order. */
  | { readonly allowed: true; readonly longTexts: readonly TextPlace[] }
  | { readonly allowed: false; readonly breach: 'depth' | 'nodes' | 'numbers' | 'names' | 'forbiddenName' }

/** Position of a string in the bytes, without its quotes. */
export interface TextPlace {
  readonly from: number
  readonly to: number
}

/** When an object is copied later, this name could set the copy's prototype. */
export const forbiddenName = '__proto__'

/**
 * Judges JSON text in one pass over its bytes, before any object exists: ten megabytes of `[`, of short strings or of
 * names would keep `JSON.parse` busy for seconds. It ends at the first breach. The verdict on malformed text is
 * arbitrary; the parser rejects it afterwards.
 */
export function scanJson(bytes: Buffer, limits: JsonLimits): JsonVerdict {
  const { depthMax, nodesMax, numbersMax, namesMax, forbidsProto } = limits
  const namesAt = [0]
  const longTexts: TextPlace[] = []
  let depth = 0
  let nodes = 0
  let numbers = 0
  let textStart = 0
  let textEnd = 0
  const { length } = bytes
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0
    // Blanks and digits are most of the bytes outside strings.
    if (byte <= blank || (byte >= zero && byte <= nine)) continue
    if (byte === quote) {
      textStart = at + 1
      at = endOfString(bytes, textStart)
      textEnd = at
      if (textEnd - textStart >= longTextBytes) longTexts.push({ from: textStart, to: textEnd })
    } else if (byte === comma) {
      if (!isDigit(bytes[at - 1])) nodes += 1
      else if ((numbers += 1) > numbersMax) return { allowed: false, breach: 'numbers' }
    } else if (byte === colon) {
      nodes += 1
      const names = (namesAt[depth] ?? 0) + 1
      if (names > namesMax) return { allowed: false, breach: 'names' }
      namesAt[depth] = names
      // The string was a member name, not a value.
      if (longTexts.at(-1)?.to === textEnd) longTexts.pop()
      if (forbidsProto && isForbidden(bytes, textStart, textEnd)) return { allowed: false, breach: 'forbiddenName' }
    } else if (byte === openBrace || byte === openBracket) {
      nodes += 1
      depth += 1
      if (depth > depthMax) return { allowed: false, breach: 'depth' }
      namesAt[depth] = 0
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth > 0) depth -= 1
    } else continue
    if (nodes > nodesMax) return { allowed: false, breach: 'nodes' }
  }
  return { allowed: true, longTexts }
}

/** From this size on a string takes a parser longer than a millisecond. */
const longTextBytes = 262_144

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine
}

// A call of the native search costs as much as checking a few dozen bytes in a loop, and most strings are shorter.
const bytesByHand = 48

/** The end of a string that begins at `from`, or the end of the text if it is not terminated. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const handEnd = Math.min(at + bytesByHand, bytes.length)
    while (at < handEnd) {
      const byte = bytes[at]
      if (byte === quote) return at
      at += byte === backslash ? 2 : 1
    }
    if (at >= bytes.length) return bytes.length
    // Long strings are most of a body, and the native search skips them much faster than a loop.
    const found = bytes.indexOf(quote, at)
    if (found === -1) return bytes.length
    let slashes = 0
    while (found - 1 - slashes >= at && bytes[found - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return found
    at = found + 1
  }
}

const forbiddenCodes = [...forbiddenName].map((character) => character.charCodeAt(0))

/** Whether a name is `__proto__`, in any spelling that a parser accepts. */
function isForbidden(bytes: Buffer, from: number, to: number): boolean {
  if (to - from < forbiddenCodes.length) return false
  let at = from
  for (const code of forbiddenCodes) {
    const isEscaped = bytes[at] === backslash
    if ((isEscaped ? escapedCode(bytes, at) : bytes[at]) !== code) return false
    at += isEscaped ? 6 : 1
  }
  return at === to
}

/** The code of an escape such as `\u005f`. */
function escapedCode(bytes: Buffer, at: number): number {
  return bytes[at + 1] === 0x75 ? Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16) : Number.NaN
}
