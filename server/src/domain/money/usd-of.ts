import { ExactNumber } from '#lib/exact-number.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import { type NanoUsd, parseUsd } from './nano-usd.ts'

/**
 * An amount that came as a JSON number, by its own digits or the decimal text that the number stands for; nothing is
 * calculated in floating point. Undefined where that is not an amount of USD with at most nine decimals.
 */
export function usdOf(value: unknown): NanoUsd | undefined {
  const text = digitsOf(value)
  try {
    return text === undefined ? undefined : parseUsd(text)
  } catch {
    return undefined
  }
}

function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return plainDecimal(value)
  return value instanceof ExactNumber ? value.text : undefined
}
