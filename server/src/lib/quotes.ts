import { isJsonObject, type JsonValue } from './json.ts'

/**
 * The words without what they quote of the texts: every stretch of 16 characters or more, and shorter texts where they are quoted
 * whole. It is for upstreams' words that are kept, since some repeat the prompt in their errors. White space counts as one space.
 */
export function withoutQuotes(words: string, texts: readonly string[]): string {
  const line = inOneLine(words)
  const quotes = new Set<string>()
  const places = placesIn(line)
  for (const text of texts) {
    const spaced = inOneLine(text).trim()
    if (spaced.length >= stretchMin) addStretches(quotes, line, places, spaced)
    else if (spaced.length >= wholeMin) quotes.add(spaced)
  }
  // A longer quote first, so that what is left of it is not a piece of a shorter one.
  return [...quotes]
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, quote) => left.replaceAll(quote, redacted), line)
}

/** Every string in a value that is long enough to be known as a quote. The bytes of inline media are not words. */
export function quotableIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return value.length < stretchMin || value.startsWith('data:') ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(quotableIn)
  return isJsonObject(value) ? Object.values(value).flatMap(quotableIn) : []
}

const stretchMin = 16
/** Shorter texts are words of any sentence. */
const wholeMin = 4
const redacted = '[redacted]'

function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
}

/** A stretch of 15 characters or more holds a whole window of 8, wherever it begins in its text. */
const windowLength = 8
/** Of a window that a line repeats, so many places are compared; a prompt of one letter must not take long. */
const placesMax = 4

function placesIn(line: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (let at = 0; at + windowLength <= line.length; at += 1) {
    const window = line.slice(at, at + windowLength)
    const known = places.get(window)
    if (known === undefined) places.set(window, [at])
    else if (known.length < placesMax) known.push(at)
  }
  return places
}

function addStretches(
  quotes: Set<string>,
  line: string,
  places: ReadonlyMap<string, readonly number[]>,
  text: string,
): void {
  for (let at = 0; at + windowLength <= text.length; at += windowLength) {
    for (const place of places.get(text.slice(at, at + windowLength)) ?? []) {
      const stretch = stretchAround(line, place, text, at)
      if (stretch.length >= stretchMin) quotes.add(stretch)
    }
  }
}

/** As far as line and text agree around a window that both have. */
function stretchAround(line: string, place: number, text: string, at: number): string {
  let before = 0
  while (before < place && before < at && line[place - before - 1] === text[at - before - 1]) before += 1
  let after = windowLength
  while (place + after < line.length && at + after < text.length && line[place + after] === text[at + after]) after += 1
  return line.slice(place - before, place + after)
}
