import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { usualCost } from '#domain/money/usual-cost.ts'

/**
 * Compares by the cost of a usual request, because providers price media in different units. A provider without a price
 * comes last.
 */
export function compareCosts(
  one: PriceList | null,
  other: PriceList | null,
  purpose: Exclude<PricedKind, 'text'>,
): number {
  const [left, right] = [costOf(one, purpose), costOf(other, purpose)]
  if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0)
  return left === right ? 0 : left < right ? -1 : 1
}

function costOf(list: PriceList | null, purpose: Exclude<PricedKind, 'text'>): bigint | null {
  if (list === null) return null
  const isKnown = isPriced(list, purpose) || (purpose === 'image' && isPriced(list))
  return isKnown ? usualCost(list, purpose) : null
}
