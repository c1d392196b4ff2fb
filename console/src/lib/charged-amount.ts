import { add, groupThousands, parseDecimal } from './decimal.ts'
import type { DecimalText, ExactNumber } from './money.ts'

/**
 * Formats an amount as a card is charged: `$1,234.50`, or `1,200 JPY`. It shows all decimals that the gateway sends.
 */
export function formatCharged(amount: ExactNumber | string, currency: string): string {
  const text = String(amount)
  const isNegative = text.startsWith('-')
  const [whole = '0', decimals = ''] = (isNegative ? text.slice(1) : text).split('.')
  const shown = groupThousands(whole) + (decimals === '' ? '' : `.${decimals}`)
  const sign = isNegative ? '−' : ''
  return currency === 'usd' ? `${sign}$${shown}` : `${sign}${shown} ${currency.toUpperCase()}`
}

/** Whether the amount is zero, with any number of zeros. */
export function isNothing(amount: ExactNumber): boolean {
  return /^-?0*(?:\.0*)?$/.test(String(amount))
}

/** Subtracts amounts and keeps the number of decimals. */
export function subtractCharged(amount: ExactNumber, ...taken: readonly ExactNumber[]): DecimalText {
  const { digits, scale } = taken
    .map(parseDecimal)
    .reduce((left, { digits: less, scale: at }) => add(left, { digits: -less, scale: at }), parseDecimal(amount))
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const shown = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
  return `${digits < 0n ? '-' : ''}${shown}` as DecimalText
}
