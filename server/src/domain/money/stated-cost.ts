import type { JsonValue } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'

/**
 * The upstream's stated cost in nano-USD, rounded up; undefined if it states nothing chargeable. A number is read as
 * its shortest decimal, which is what the upstream sent.
 */
export function statedCost(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined
  const [whole = '0', decimals = ''] = plainDecimal(value).split('.')
  const nano = BigInt(whole + decimals.slice(0, nanoDecimals).padEnd(nanoDecimals, '0'))
  // The shortest decimal has no trailing zero, so any digits beyond the billionths are more than zero.
  const cost = Number(decimals.length > nanoDecimals ? nano + 1n : nano)
  return Number.isSafeInteger(cost) ? cost : undefined
}

const nanoDecimals = 9
