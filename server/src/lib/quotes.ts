import { isJsonObject, type JsonValue } from './json.ts'

/**
 * Removes quotes of the texts from the words: every common run of 16 characters or more, and shorter texts that are
 * quoted completely. It is for upstream messages that are stored, since some repeat the prompt. Whitespace counts as
 * one space.
 */
export function withoutQuotes(words: string, texts: readonly string[]): string {
  const finder = new QuoteFinder(words)
  for (const text of texts) finder.look(text)
  return finder.left()
}

/** Every string in a value that is long enough to be recognized as a quote. The bytes of inline media are not text. */
export function quotableIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return value.length < stretchMin || isMedia(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(quotableIn)
  return isJsonObject(value) ? Object.values(value).flatMap(quotableIn) : []
}

function isMedia(text: string): boolean {
  return text.startsWith('data:') || (text.length > base64Min && /^[\w+/=-]+$/.test(text.slice(0, base64Min)))
}

/** No word of any language is this long in these letters. */
const base64Min = 512
/** An upstream may send a whole page. */
const wordsMax = 4_001
const stretchMin = 16
/** Shorter texts occur in ordinary sentences. */
const wholeMin = 4
/** A common run of 15 characters or more contains a whole window of 8, wherever it begins in its text. */
const windowLength = 8
/**
 * Number of positions that are compared per repeated window, so that a prompt of one repeated letter does not take
 * long.
 */
const placesMax = 4
const redacted = '[redacted]'

/** Removes texts from the words, one after another. The cost grows only with the length of the text. */
export class QuoteFinder {
  readonly #line: string
  readonly #isQuoted: Uint8Array
  readonly #places = new Map<string, number[]>()

  constructor(words: string) {
    this.#line = inOneLine(words.slice(0, wordsMax))
    this.#isQuoted = new Uint8Array(this.#line.length)
    for (let at = 0; at + windowLength <= this.#line.length; at += 1) {
      const window = this.#line.slice(at, at + windowLength)
      const known = this.#places.get(window)
      if (known === undefined) this.#places.set(window, [at])
      else if (known.length < placesMax) known.push(at)
    }
  }

  look(text: string): void {
    const spaced = inOneLine(text).trim()
    if (spaced.length >= stretchMin) this.#lookForStretches(spaced)
    else if (spaced.length >= wholeMin) this.#mark(spaced)
  }

  /** The remaining words. */
  left(): string {
    let left = ''
    for (let at = 0; at < this.#line.length; at += 1) {
      if (this.#isQuoted[at] === 0) left += this.#line[at]
      else if (at === 0 || this.#isQuoted[at - 1] === 0) left += redacted
    }
    return left
  }

  #lookForStretches(text: string): void {
    for (let at = 0; at + windowLength <= text.length; at += windowLength) {
      for (const place of this.#places.get(text.slice(at, at + windowLength)) ?? []) {
        // A part that is already known to be a quote is not measured again.
        if (this.#isQuoted[place] === 1 && this.#isQuoted[place + windowLength - 1] === 1) continue
        const stretch = this.#stretchAround(place, text, at)
        if (stretch.length >= stretchMin) this.#mark(stretch)
      }
    }
  }

  /** The common run of words and text around a common window. */
  #stretchAround(place: number, text: string, at: number): string {
    const line = this.#line
    let before = 0
    while (before < place && before < at && line[place - before - 1] === text[at - before - 1]) before += 1
    let after = windowLength
    while (place + after < line.length && at + after < text.length && line[place + after] === text[at + after]) {
      after += 1
    }
    return line.slice(place - before, place + after)
  }

  #mark(quote: string): void {
    for (let at = this.#line.indexOf(quote); at !== -1; at = this.#line.indexOf(quote, at + quote.length)) {
      this.#isQuoted.fill(1, at, at + quote.length)
    }
  }
}

function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
}
