import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'

/** Italian tax codes (codice fiscale): names, date and place of birth by their letters, and the letter that checks them. */
export const findItalianTaxCodes: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(candidatePattern)) {
    const code = written.replaceAll(' ', '').toUpperCase()
    if (hasBirthday(code) && checkLetterOf(code) === code.charAt(15))
      found.push({ start: index, end: index + written.length })
  }
  return found
}

/** Digits may be replaced by letters where two persons would have the same code. */
const candidatePattern =
  /(?<![\p{L}\p{N}_])[A-Z]{3} ?[A-Z]{3} ?[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2} ?[A-Z][0-9LMNPQRSTUV]{3} ?[A-Z](?![\p{L}\p{N}_])/giu
const replacements = 'LMNPQRSTUV'

function hasBirthday(code: string): boolean {
  const day = Number(code.slice(9, 11).replaceAll(/[A-Z]/g, (letter) => String(replacements.indexOf(letter))))
  return (day >= 1 && day <= 31) || (day >= 41 && day <= 71)
}

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function checkLetterOf(code: string): string {
  const sum = Array.from(code.slice(0, 15)).reduce((total, character, at) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    return total + (at % 2 === 0 ? (oddValues[value] ?? 0) : value)
  }, 0)
  return String.fromCharCode(65 + (sum % 26))
}
