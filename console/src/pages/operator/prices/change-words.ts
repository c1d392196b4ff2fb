import type { CatalogueChange } from '../../../api/price-plans.ts'
import { plural } from '../../../lib/plural.ts'
import { formatPrice, priceUnits } from '../../../lib/price.ts'

const kinds = {
  model: 'Model',
  offer: 'Provider',
  price: 'Price',
  purchase: 'Purchase price',
  limit: 'Limit',
  retirement: 'Retirement',
  field: 'Field',
} as const satisfies Record<CatalogueChange['what'], string>

export function kindInWords({ what }: Pick<CatalogueChange, 'what'>): string {
  return kinds[what]
}

/** A value of a change. Prices of tokens are shown per million, as everywhere else. */
export function valueInWords({ what, where }: Pick<CatalogueChange, 'what' | 'where'>, value: string | null): string {
  if (value === null) return 'None'
  if (what !== 'price' && what !== 'purchase') return value
  // The name of a price is its provider, then its unit.
  const unit = where.split(' ')[1] ?? ''
  const isPiece = unit.startsWith('per_') || unit === 'web_search'
  return isPiece ? formatPrice(value) : `${formatPrice(perMillion(value))} / 1M`
}

/** An exact decimal times a million. */
function perMillion(usd: string): string {
  const digits = String(priceUnits(usd) * 1_000_000n).padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`
}

/** For example `12 changes to 3 models, 1 doubtful`. */
export function summaryOf(changes: readonly CatalogueChange[]): string {
  const models = new Set(changes.map(({ model }) => model)).size
  const doubtful = changes.filter(({ doubt }) => doubt !== null).length
  const counted = `${plural(changes.length, 'change')} to ${plural(models, 'model')}`
  return doubtful === 0 ? counted : `${counted}, ${doubtful.toLocaleString('en')} doubtful`
}
