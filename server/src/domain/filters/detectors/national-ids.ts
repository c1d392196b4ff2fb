import type { Span } from '../text/span.ts'
import { serialContext, textBefore } from './context.ts'
import type { Detector } from './detector.ts'
import { findNamedNumbers } from './named-numbers.ts'

/** Dutch citizen service numbers (BSN): nine digits that pass the eleven test, with a context word. */
export const findDutchCitizenNumbers = findNamedNumbers({
  shapes: ['9', '3-3-3', '4-2-3', '2-2-2-3', '2-3-2-2'],
  isValid: passesElevenTest,
  names: /\bbsn|burgerservice|sofi-?nummer|citizen service n|persoonsnummer|bürgerservicenummer/iu,
})

function passesElevenTest(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at === 8 ? -1 : 9 - at), 0)
  return sum % 11 === 0
}

/** French social security numbers (NIR): sex, year, month, department, commune, order, and the key modulo 97. */
export const findFrenchSocialSecurity: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(frenchPattern)) {
    const span = { start: index, end: index + written.length }
    const code = written.replaceAll(/[ .-]/g, '').toUpperCase()
    if (hasRightKey(code) && !serialContext.test(textBefore(text, span, 50))) found.push(span)
  }
  return found
}

const frenchPattern =
  /(?<![\p{L}\p{N}_]|\p{N}[.,/-])[12]([ .-]?)\d{2}\1(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d)\1(?:\d{2}|2[ABab])\1\d{3}\1\d{3}[ .-]?\d{2}(?![\p{L}\p{N}_]|[.,]\p{N})/gu

function hasRightKey(code: string): boolean {
  // The departments of Corsica count as 19 and 18.
  const number = BigInt(code.slice(0, 13).replace('2A', '19').replace('2B', '18'))
  return 97n - (number % 97n) === BigInt(code.slice(13))
}

/**
 * German tax identification numbers: eleven digits that satisfy the repetition rules and the check digit, with a
 * context word.
 */
export const findGermanTaxIds = findNamedNumbers({
  shapes: ['11', '2-3-3-3'],
  isValid: isTaxId,
  names:
    /steuer-?\s?id|identifikations-?(?:nummer|nr)|id-?nr\b|steuernummer|steueridentif|german tax|tax[- ]?(?:id|identification|number)|\btin\b|fiscal allemand|fiscal alem[aá]/iu,
})

function isTaxId(digits: string): boolean {
  if (digits.startsWith('0')) return false
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  // One digit occurs twice or three times, never three times in a row; the others occur at most once.
  const repeated = [...counts.values()].filter((count) => count > 1)
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3 || /(\d)\1\1/.test(digits.slice(0, 10))) return false
  return checkDigitOf(digits.slice(0, 10)) === Number(digits.charAt(10))
}

/** ISO 7064, modulo 11 and 10. */
function checkDigitOf(digits: string): number {
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10
}

/** Italian tax codes (codice fiscale): encoded names, date and place of birth, and the check letter. */
export const findItalianTaxCodes: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(italianPattern)) {
    const code = written.replaceAll(' ', '').toUpperCase()
    if (hasBirthday(code) && checkLetterOf(code) === code.charAt(15))
      found.push({ start: index, end: index + written.length })
  }
  return found
}

/** Letters replace digits if two people would have the same code. */
const italianPattern =
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

/** Spanish identity numbers of citizens (DNI) and foreigners (NIE), with the check letter. */
export const findSpanishNationalIds: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(spanishPattern)) {
    const span = { start: index, end: index + written.length }
    const code = written.replaceAll(/[ .-]/g, '').toUpperCase()
    if (hasRightLetter(code) && isMeant(textBefore(text, span, 50))) found.push(span)
  }
  return found
}

const spanishPattern =
  /(?<![\p{L}\p{N}_]|\p{N}[.,/-]|[-/])(?:\d{8}|\d{1,2}\.\d{3}\.\d{3}|[XYZxyz][ -]?\d{7}|[XYZxyz][ -]?\d\.\d{3}\.\d{3})[ -]?[A-Za-z](?![\p{L}\p{N}_]|-\p{N})/gu
const names = /\b(?:dni|nie|nif)\b|n\.i\.[ef]|spanish|identidad|espagnol|spanisch|espanhol/iu

function isMeant(before: string): boolean {
  return names.test(before) || !serialContext.test(before)
}

const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'

function hasRightLetter(code: string): boolean {
  const digits = code.slice(0, -1).replace(/^[XYZ]/, (prefix) => String('XYZ'.indexOf(prefix)))
  if (/^(\d)\1+$/.test(digits) && !/^[XYZ]/.test(code)) return false
  return letters.charAt(Number(digits) % 23) === code.at(-1)
}

/** National Health Service numbers: ten digits that pass modulo 11, with a context word. */
export const findUkNhsNumbers = findNamedNumbers({
  shapes: ['10', '3-3-4'],
  isValid: isNhsNumber,
  names: /\bnhs|national health service n|health and care number/iu,
})

function isNhsNumber(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = Array.from(digits.slice(0, 9)).reduce((total, digit, at) => total + Number(digit) * (10 - at), 0)
  return (11 - (sum % 11)) % 11 === Number(digits.charAt(9))
}
