const quote = 34
const backslash = 92
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/**
 * Whether JSON text nests deeper than a limit, without parsing it: ten megabytes of `[` would keep `JSON.parse` busy for
 * seconds. Malformed text gives some answer; the parser refuses it afterwards.
 */
export function isNestedDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at + 1)
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
    }
  }
  return false
}

// Strings are most of a body; the native search skips them much faster than a loop.
function endOfString(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(quote, from)
  while (end !== -1) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === backslash && end - 1 - slashes >= from) slashes += 1
    if (slashes % 2 === 0) return end
    end = bytes.indexOf(quote, end + 1)
  }
  return bytes.length
}
