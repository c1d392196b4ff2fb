import type { AnnouncedModel, Notice } from '../../api/notices.ts'
import { formatPrice } from '../../lib/price.ts'

export function noticeTitle({ kind, models }: Pick<Notice, 'kind' | 'models'>): string {
  if (kind === 'reminder') return 'Models that you use retire soon'
  const hasPrices = models.some(({ prices }) => prices.length > 0)
  const hasDates = models.some(({ retirement }) => retirement !== null)
  if (hasPrices && hasDates) return 'Changed prices and retirement dates'
  return hasDates ? 'Changed retirement dates' : 'Changed prices'
}

/** For example `acme prompt: $1.00 to $1.50 / 1M`. */
export function priceLine(price: AnnouncedModel['prices'][number]): string {
  const { provider, variant, unit, when, per, from, to } = price
  const host = variant === '' ? provider : `${provider} ${variant}`
  const condition = when === '' ? '' : ` (${when})`
  const amounts = `${amountOf(from)} to ${amountOf(to)}${per === 'million' ? ' / 1M' : ''}`
  return `${host} ${unit.replaceAll('_', ' ')}${condition}: ${amounts}`
}

function amountOf(usd: string | null): string {
  return usd === null ? 'not offered' : formatPrice(usd)
}

export function retirementLine({ from, to }: NonNullable<AnnouncedModel['retirement']>): string {
  if (to === null) return `No longer retires on ${from}`
  return from === null || from === to ? `Retires on ${to}` : `Retires on ${to}, not on ${from}`
}
