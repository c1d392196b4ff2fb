import type { Span } from '../text/span.ts'
import { serialContext, textBefore } from './context.ts'
import type { Detector } from './detector.ts'

/** Spanish identity numbers, of citizens (DNI) and of foreigners (NIE), with the letter that follows from their digits. */
export const findSpanishNationalIds: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(candidatePattern)) {
    const span = { start: index, end: index + written.length }
    const code = written.replaceAll(/[ .-]/g, '').toUpperCase()
    if (hasRightLetter(code) && isMeant(textBefore(text, span, 50))) found.push(span)
  }
  return found
}

const candidatePattern =
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
