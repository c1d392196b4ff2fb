import type { Usage } from '#domain/inference/usage.ts'
import { itemize, itemizeHit } from './charge.ts'
import type { PriceList } from './price-list.ts'
import { formatUnitPrice } from './unit-price.ts'

/** One line of a receipt: a quantity at a unit price. */
export interface ReceiptLine {
  readonly item: ReturnType<typeof itemize>['items'][number]['item']
  readonly count: number
  readonly unitPriceUsd: string
}

/**
 * The lines behind a charge, at the full price or a percentage of it. Only receipts need them, so a settle does not
 * format them.
 */
export function receiptLines(usage: Usage, list: PriceList, hitPercent?: number): ReceiptLine[] {
  const { items } = hitPercent === undefined ? itemize(usage, list) : itemizeHit(usage, list, hitPercent)
  return items.map(({ item, count, price }) => ({
    item,
    count,
    unitPriceUsd: formatUnitPrice(price),
  }))
}
