import { type TokenCounter, tokenCounter } from './token-counter.ts'

/**
 * Estimates the tokens of texts in bounded time. Merging is quadratic in the length of a word, so at most 32 pieces of
 * 64 bytes are counted: half a millisecond for adversarial text, 0.4 ms for prose. Texts up to that size are counted
 * completely. In longer texts the pieces are spread evenly, and the rest is assumed to have the same density.
 */
export function estimateTokens(texts: readonly string[], count: TokenCounter | null = tokenCounter()): number {
  return count === null ? bytesIn(texts) / bytesPerToken : sampleTokens(texts, count)
}

/** The maximum relative error of an estimate. Without the token counter the estimate is a guess by bytes. */
export function estimateError(): number {
  return tokenCounter() === null ? 1 : 0.15
}

/** Accurate for English, and too high for most other text. */
export const bytesPerToken = 4

export function bytesIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

const piecesMax = 32
const pieceBytesMax = 64
/** How far a cut is moved to fall between words. A split word counts as more tokens than it is. */
const moveMax = 16

function sampleTokens(texts: readonly string[], count: TokenCounter): number {
  const joined = join(texts)
  const whole = countWhole(joined, count)
  if (whole !== null) return whole
  // The mean density of evenly spread pieces, not their sum: pieces have the same number of bytes, not of characters.
  let densities = 0
  for (let place = 0; place < piecesMax; place += 1) {
    // Shifted a little within its share, so that repetitive text is not always sampled at the same point.
    const within = (place * goldenShare) % 1
    const start = Math.floor(((place + within) * (joined.length - moveMax)) / piecesMax)
    const piece = pieceAt(joined, start + betweenWords(joined.slice(start, start + moveMax)))
    densities += count(piece) / piece.length
  }
  return Math.ceil((densities / piecesMax) * joined.length)
}

const goldenShare = 0.618_033_988_749_895

/** Null if the text needs too many pieces. */
function countWhole(joined: Joined, count: TokenCounter): number | null {
  if (joined.length > piecesMax * pieceBytesMax) return null
  let tokens = 0
  let start = 0
  for (let pieces = 0; start < joined.length; pieces += 1) {
    if (pieces === piecesMax) return null
    const piece = pieceAt(joined, start)
    tokens += count(piece)
    start += piece.length
  }
  return tokens
}

/** As many characters as fit in a piece, up to the last blank near its end. Never empty. */
function pieceAt(joined: Joined, start: number): string {
  const characters = joined.slice(start, start + pieceBytesMax)
  let bytes = 0
  let end = 0
  while (end < characters.length) {
    bytes += bytesOf(characters.charCodeAt(end))
    if (bytes > pieceBytesMax) break
    end += 1
  }
  if (start + end >= joined.length) return characters.slice(0, end)
  for (let cut = end; cut > end - moveMax && cut > 1; cut -= 1) {
    if (isBlank(characters.charCodeAt(cut))) return characters.slice(0, cut)
  }
  return characters.slice(0, end)
}

function betweenWords(characters: string): number {
  for (let place = 0; place < characters.length; place += 1) if (isBlank(characters.charCodeAt(place))) return place
  return 0
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  // Half of a pair counts two of the pair's four bytes.
  if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) return 2
  return 3
}

/** The texts joined as lines, without copying them: a prompt may be megabytes, and little of it is read. */
interface Joined {
  readonly length: number
  slice(start: number, end: number): string
}

function join(texts: readonly string[]): Joined {
  const ends: number[] = []
  let length = 0
  for (const text of texts) {
    length += text.length + 1
    ends.push(length)
  }
  // There is no line break after the last text.
  length = Math.max(0, length - 1)
  return {
    length,
    slice: (start, endWanted) => {
      const end = Math.min(endWanted, length)
      let index = firstEndAfter(ends, start)
      let characters = ''
      for (; index < texts.length && start + characters.length < end; index += 1) {
        const text = texts[index] ?? ''
        const begin = (ends[index] ?? 0) - text.length - 1
        const from = start + characters.length - begin
        characters += `${text.slice(from, end - begin)}${end > begin + text.length ? '\n' : ''}`
      }
      return characters
    },
  }
}

function firstEndAfter(ends: readonly number[], position: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}
