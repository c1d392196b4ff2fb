import type { Span } from '../text/span.ts'
import { serialContext, textAround, textBefore } from './context.ts'
import type { Detector } from './detector.ts'

/**
 * US social security numbers by the rules of area, group and serial. With hyphens they count alone; with spaces, or as
 * nine digits in a row, only with a context word.
 */
export const findUsSocialSecurity: Detector = (text) => {
  const found: Span[] = []
  for (const match of text.matchAll(candidatePattern)) {
    const { 0: written, 1: area = '', 2: separator = '', 3: group = '', 4: serial = '', index } = match
    const span = { start: index, end: index + written.length }
    if (isIssued(area, group, serial) && isMeant(text, span, separator)) found.push(span)
  }
  return found
}

const candidatePattern =
  /(?<![\p{Script=Latin}\d_]|\d[.,/-]|[-.#])(\d{3})([- ]?)(\d{2})\2(\d{4})(?![\p{Script=Latin}\d_]|[.,/-]\d|-)/gu

/** Numbers that were printed in advertisements and are void. */
const advertised = new Set(['078051120', '219099999', '457555462'])

function isIssued(area: string, group: string, serial: string): boolean {
  if (area === '000' || area === '666' || area >= '900' || group === '00' || serial === '0000') return false
  const digits = area + group + serial
  return !advertised.has(digits) && !/^(\d)\1+$/.test(digits)
}

const ssnContext =
  /\bssns?\b|\bs\.s\.n\b|social[ -]?sec|soc\.? sec|\bss ?#|\bss number|seguro social|sécurité sociale américaine|taxpayer id/iu

function isMeant(text: string, span: Span, separator: string): boolean {
  if (ssnContext.test(textAround(text, span, { before: 60, after: 30 }))) return true
  return separator === '-' && !serialContext.test(textBefore(text, span, 50))
}
