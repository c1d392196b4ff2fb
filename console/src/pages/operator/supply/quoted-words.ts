import type { QuotedPrice } from '../../../api/supply.ts'
import { formatPrice } from '../../../lib/price.ts'

export const stateWords = { listed: 'Listed', unlisted: 'Unlisted', retired: 'Retired' } as const

/** For example `prompt $1.75 / 1M` or `per request $0.01 (quality high)`. */
export function quotedWords({ unit, usd, per, when }: QuotedPrice): string {
  const amount = `${unit.replaceAll('_', ' ')} ${formatPrice(usd)}`
  return `${amount}${per === 'million' ? ' / 1M' : ''}${when === '' ? '' : ` (${when})`}`
}

/** The plain prices in one line; empty without any. */
export function quotedInShort(prices: readonly QuotedPrice[]): string {
  return prices
    .filter(({ when }) => when === '')
    .slice(0, shortMax)
    .map(quotedWords)
    .join(', ')
}

const shortMax = 2
