import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'
import { ibanStructures } from './iban-countries.ts'

/**
 * International bank account numbers: a participating country, its length and structure, and check digits modulo 97.
 */
export const findIbans: Detector = (text) => {
  const found: Span[] = []
  for (const { index } of text.matchAll(headPattern)) {
    const span = findIban(text, index)
    if (span !== undefined) found.push(span)
  }
  return found
}

const headPattern = /(?:(?<![A-Za-z0-9])|(?<=\bIBAN))[A-Za-z]{2}[ -]?\d{2}/g
const alphanumeric = /[A-Za-z0-9]/

function findIban(text: string, start: number): Span | undefined {
  const country = text.slice(start, start + 2).toUpperCase()
  const structure = ibanStructures.get(country)
  if (structure === undefined) return undefined
  const read = readCharacters(text, start, structure.length)
  if (read === undefined || alphanumeric.test(text.charAt(read.end))) return undefined
  const isValid = structure.form.test(read.characters.slice(4)) && remainderOf(read.characters) === 1
  return isValid ? { start, end: read.end } : undefined
}

/** Reads `count` letters and digits, with at most one space or hyphen between any two. */
function readCharacters(text: string, start: number, count: number): { characters: string; end: number } | undefined {
  let characters = ''
  let at = start
  while (characters.length < count) {
    const character = text.charAt(at)
    if (alphanumeric.test(character)) characters += character
    else if ((character !== ' ' && character !== '-') || !alphanumeric.test(text.charAt(at - 1))) return undefined
    at += 1
  }
  return { characters: characters.toUpperCase(), end: at }
}

/** Country and check digits move to the end, letters count from 10, and the number is divided by 97 (ISO 7064). */
function remainderOf(iban: string): number {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}
