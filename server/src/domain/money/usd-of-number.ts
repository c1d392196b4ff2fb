import { plainDecimal } from '#lib/plain-decimal.ts'
import { type NanoUsd, parseUsd } from './nano-usd.ts'

/**
 * An amount that came as a JSON number, by the decimal text that the number stands for; nothing is calculated in floating
 * point. Undefined where that is not an amount of USD with at most nine decimals.
 */
export function usdOfNumber(value: number): NanoUsd | undefined {
  try {
    return parseUsd(plainDecimal(value))
  } catch {
    return undefined
  }
}
