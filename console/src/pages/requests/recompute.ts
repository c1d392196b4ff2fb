import { add, ceilToNano, type Decimal, multiply, parseDecimal } from '../../lib/decimal.ts'
import type { ExactNumber, Nano } from '../../lib/money.ts'

interface ReceiptLine {
  readonly item: string
  readonly count: ExactNumber
  readonly unit_price_usd: string
}

interface Recomputed {
  readonly lines: readonly (ReceiptLine & { readonly amount: Decimal })[]
  /** The exact sum of all lines, rounded up once. */
  readonly nano: Nano
}

const zero: Decimal = { digits: 0n, scale: 0 }

/**
 * Recomputes a charge as the gateway did: quantities times unit prices, summed up, rounded up once to a nano-dollar.
 */
export function recompute(lines: readonly ReceiptLine[]): Recomputed {
  const priced = lines.map((line) => ({
    ...line,
    amount: multiply(parseDecimal(line.count), parseDecimal(line.unit_price_usd)),
  }))
  // The minimum charge of a request replaces a smaller sum.
  const least = priced.filter(({ item }) => item === 'per_request_minimum')
  const counted = least.length === 0 ? priced : least
  return { lines: priced, nano: ceilToNano(counted.reduce((sum, { amount }) => add(sum, amount), zero)) }
}
