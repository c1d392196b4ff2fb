import type { Span } from '../text/span.ts'
import { serialContext, textBefore } from './context.ts'
import type { Detector } from './detector.ts'

/** French social security numbers (NIR): sex, year, month, department, commune, order, and the key modulo 97. */
export const findFrenchSocialSecurity: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(candidatePattern)) {
    const span = { start: index, end: index + written.length }
    const code = written.replaceAll(/[ .-]/g, '').toUpperCase()
    if (hasRightKey(code) && !serialContext.test(textBefore(text, span, 50))) found.push(span)
  }
  return found
}

const candidatePattern =
  /(?<![\p{L}\p{N}_]|\p{N}[.,/-])[12]([ .-]?)\d{2}\1(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d)\1(?:\d{2}|2[ABab])\1\d{3}\1\d{3}[ .-]?\d{2}(?![\p{L}\p{N}_]|[.,]\p{N})/gu

function hasRightKey(code: string): boolean {
  // The departments of Corsica count as 19 and 18.
  const number = BigInt(code.slice(0, 13).replace('2A', '19').replace('2B', '18'))
  return 97n - (number % 97n) === BigInt(code.slice(13))
}
