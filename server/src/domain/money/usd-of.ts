import { ExactNumber } from '#lib/exact-number.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import { type NanoUsd, parseUsd } from './nano-usd.ts'

/**
 * Converts a JSON number to an amount, by its own digits or its shortest decimal; nothing is computed in floating
 * point. Undefined if it is not an amount of USD with at most nine decimals.
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
