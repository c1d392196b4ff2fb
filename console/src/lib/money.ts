import { groupDecimals, groupThousands, parseDecimal } from './decimal.ts'

/**
 * Amounts are nano-USD as bigint, never a floating-point number. A JSON number with a fraction arrives as its source
 * text.
 */
export type Nano = bigint

/** A decimal exactly as it was in the JSON text. */
export type DecimalText = `${number}`

/** A number in a response: a safe integer, or the source text of any other number. */
export type ExactNumber = number | DecimalText

/** Converts USD to nano-USD exactly. It rejects more than nine decimals, because no amount has more. */
export function toNano(usd: ExactNumber | string): Nano {
  const { digits, scale } = parseDecimal(usd)
  return scale <= 9 ? digits * 10n ** BigInt(9 - scale) : divideExactly(digits, 10n ** BigInt(scale - 9))
}

function divideExactly(digits: bigint, divisor: bigint): bigint {
  if (digits % divisor !== 0n) throw new Error('Amounts can have at most nine decimal places.')
  return digits / divisor
}

/** Formats every digit: `-12.4`, `0.000042`. */
export function exactUsd(nano: Nano): string {
  const size = nano < 0n ? -nano : nano
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  const whole = (size / 1_000_000_000n).toString()
  return `${nano < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Formats an amount for display: cents if there are any, otherwise every significant digit in groups of three. */
export function formatUsd(nano: Nano): string {
  const size = nano < 0n ? -nano : nano
  const sign = nano < 0n ? '−' : ''
  const [whole = '0', fraction = ''] = exactUsd(size).split('.')
  const digits = fraction.length <= 2 ? fraction.padEnd(2, '0') : groupDecimals(fraction)
  return `${sign}$${groupThousands(whole)}.${digits}`
}

/** Formats an amount for tiles and axes: rounded to cents, and `<$0.01` for amounts that would round to zero. */
export function formatUsdShort(nano: Nano): string {
  const size = nano < 0n ? -nano : nano
  const sign = nano < 0n ? '−' : ''
  if (size > 0n && size < 10_000_000n) return `${sign}<$0.01`
  const cents = ((size + 5_000_000n) / 10_000_000n).toString().padStart(3, '0')
  return `${sign}$${groupThousands(cents.slice(0, -2))}.${cents.slice(-2)}`
}

/** Only for the height of a bar, because it converts to a double. */
export function chartHeight(nano: Nano): number {
  return Number(nano) / 1e9
}
