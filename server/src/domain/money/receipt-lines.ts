import type { Usage } from '#domain/inference/usage.ts'
import { itemize } from './charge.ts'
import type { PriceList } from './price-list.ts'
import { formatUnitPrice } from './unit-price.ts'

/** One line of a receipt: a quantity at a unit price. */
export interface ReceiptLine {
  readonly item: ReturnType<typeof itemize>['items'][number]['item']
  readonly count: number
  readonly unitPriceUsd: string
}

/** The lines behind a charge. Only receipts need them, so settling does not format them. */
export function receiptLines(usage: Usage, list: PriceList): ReceiptLine[] {
  return itemize(usage, list).items.map(({ item, count, price }) => ({
    item,
    count,
    unitPriceUsd: formatUnitPrice(price),
  }))
}
