import { type PriceList, type PriceUnit, parseUnitPrices } from '#domain/money/price-list.ts'

/** Most test models are free. Such a list has no price version, so its id is the nil UUID. */
export function freeTestPrice(...units: readonly PriceUnit[]): PriceList {
  return {
    id: '00000000-0000-0000-0000-000000000000',
    base: parseUnitPrices(Object.fromEntries(units.map((unit) => [unit, '0']))),
    tiers: [],
  }
}

/**
 * The price of `test/priced`. Receipts refer to this id, and the price table does not contain it: a list with other
 * prices needs another id, and this one must stay for existing receipts.
 */
export const pricedTestPrice: PriceList = {
  id: '7e570000-0000-7000-8000-000000000001',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002', cache_read: '0.0000001' }),
  tiers: [],
}

export function isPricedTest({ id }: Pick<PriceList, 'id'>): boolean {
  return id === pricedTestPrice.id
}

/** The price list of a receipt with this id. */
export function findTestPrice(priceId: string | null): PriceList | null {
  return priceId === pricedTestPrice.id ? pricedTestPrice : null
}
