import type { Span } from '../text/span.ts'
import { isInternationalNumber, isNorthAmericanNumber } from './calling-codes.ts'
import { serialContext, textAfter, textBefore } from './context.ts'
import type { Detector } from './detector.ts'
import { isNationalShape } from './national-phone-shapes.ts'
import { otherContext, phoneAfter, phoneBefore } from './phone-context.ts'

/**
 * Telephone numbers. With a plus sign: a calling code and as many digits as its country has. Written as in North America or
 * in the shape of a country that dials a zero first: as they are. Any other digits only where a word says what they are.
 */
export const findPhoneNumbers: Detector = (text) => {
  const found: Span[] = []
  for (const match of text.matchAll(candidatePattern)) {
    const span = { start: match.index, end: match.index + match[0].length }
    if (isPhoneNumber(text, span, match[0])) found.push(withExtension(text, span))
  }
  return found
}

/** Digits with the signs that people put between them, six at least; no part of a word, an amount, a time or an address. */
const candidatePattern =
  /(?<![[\p{L}\p{N}_@#$€£%.,\/\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]]|\d:)(?:\+ ?|00[ \-]?)?(?:\(\+?\d{1,5}\)[ \-]?)?\d(?:(?:[ \-]?\(0\)[ \-]?|[ .\-\/]|\) ?| - |[ \-]?\()?\d){5,17}(?![\d_]|[.,:]\d|[\-\/]\d|(?!x ?\d|ext)\p{sc=Latin}|[%€£$])/gv

function isPhoneNumber(text: string, span: Span, written: string): boolean {
  const digits = written.replaceAll(/\D/g, '')
  if (digits.length < 7 || /^(\d)\1+$/.test(digits) || isOtherNotation(written)) return false
  const before = textBefore(text, span, 50)
  const isCalledPhone = phoneBefore.test(before) || phoneAfter.test(textAfter(text, span, 25))
  if (/^[+(]/.test(written) && written.includes('+')) return isInternational(written, digits)
  if (!isCalledPhone && (largeNumber.test(written) || serialContext.test(before) || otherContext.test(before)))
    return false
  if (/^00[1-9]/.test(digits) && isInternationalNumber(digits.slice(2)))
    return isCalledPhone || /^00[ -]?\d{1,3}[ -]/.test(written)
  if (isCalledPhone) return digits.length <= 13
  return isNorthAmericanShape(written, digits) || isNationalShape(written)
}

/** A zero in parentheses, or after the calling code, is only dialled at home. */
function isInternational(written: string, digits: string): boolean {
  return isInternationalNumber(digits) || isInternationalNumber(written.replace('(0)', '').replaceAll(/\D/g, ''))
}

function isNorthAmericanShape(written: string, digits: string): boolean {
  if (!/^(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}([ .-]))\d{3}([.-]| )\d{4}$/.test(written)) return false
  // Spaces alone also separate the groups of large numbers and of tables.
  if (/^[\d ]+$/.test(written)) return false
  return isNorthAmericanNumber(digits.length === 11 ? digits.slice(1) : digits)
}

const dateOrTime =
  /^(?:\d{4}[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])[-/. ](?:19|20)\d{2})/
/** Groups of three as thousands are written, and four numbers with dots. */
const largeNumber = /^[1-9]\d{0,2}(?:([ .])\d{3})(?:\1\d{3})+$/
const dottedQuad = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** A social security number, and a range of postal codes. */
const otherCodes = /^\d{3}-\d{2}-\d{4}$|^\d{5}-\d{5}$/

function isOtherNotation(written: string): boolean {
  return dateOrTime.test(written) || dottedQuad.test(written) || otherCodes.test(written)
}

const extensionPattern = /^[ ,;]{0,3}(?:ext\.?|extension|x|durchwahl|dw|poste|int\.?|доб\.?|#)[ .:]{0,2}\d{1,6}(?!\d)/i

function withExtension(text: string, { start, end }: Span): Span {
  const extension = extensionPattern.exec(textAfter(text, { start, end }, 25))?.[0] ?? ''
  return { start, end: end + extension.length }
}
