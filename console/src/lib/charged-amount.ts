import { add, groupThousands, parseDecimal } from './decimal.ts'
import type { DecimalText, ExactNumber } from './money.ts'

/**
 * An amount as a card is charged: `$1,234.50`, or `1,200 JPY`. The gateway sends all decimals of the currency, and all
 * are shown.
 */
export function formatCharged(amount: ExactNumber, currency: string): string {
  const text = String(amount)
  const isNegative = text.startsWith('-')
  const [whole = '0', decimals = ''] = (isNegative ? text.slice(1) : text).split('.')
  const shown = groupThousands(whole) + (decimals === '' ? '' : `.${decimals}`)
  const sign = isNegative ? '−' : ''
  return currency === 'usd' ? `${sign}$${shown}` : `${sign}${shown} ${currency.toUpperCase()}`
}

/** Whether it is nothing, however many zeros it has. */
export function isNothing(amount: ExactNumber): boolean {
  return /^-?0*(?:\.0*)?$/.test(String(amount))
}

/** What is left of an amount, with as many decimals as it has. */
export function subtractCharged(amount: ExactNumber, ...taken: readonly ExactNumber[]): DecimalText {
  const { digits, scale } = taken
    .map(parseDecimal)
    .reduce((left, { digits: less, scale: at }) => add(left, { digits: -less, scale: at }), parseDecimal(amount))
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const shown = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
  return `${digits < 0n ? '-' : ''}${shown}` as DecimalText
}
