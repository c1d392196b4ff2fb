import type { JsonValue } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'

/**
 * What an upstream says that something cost, in nano-USD, rounded up; undefined where it says nothing that can be
 * charged. A number is taken for the shortest decimal that it is written as, which is what the upstream sent.
 */
export function statedCost(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined
  const [whole = '0', decimals = ''] = plainDecimal(value).split('.')
  const nano = BigInt(whole + decimals.slice(0, nanoDecimals).padEnd(nanoDecimals, '0'))
  // The shortest decimal ends in no zero, so whatever is beyond the billionths is more than nothing.
  const cost = Number(decimals.length > nanoDecimals ? nano + 1n : nano)
  return Number.isSafeInteger(cost) ? cost : undefined
}

const nanoDecimals = 9
