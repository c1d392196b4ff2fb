import { officialPriceOf } from '../../server/src/control/catalogue/official-prices.ts'
import type { CatalogueRow, PriceRow, StatedUnits } from '../../server/src/domain/catalogue/catalogue-row.ts'
import {
  type DisputedPrice,
  disputedPricesOf,
  withDisputedPrices,
} from '../../server/src/domain/catalogue/disputed-price.ts'
import { parseUnitPrice } from '../../server/src/domain/money/unit-price.ts'

/**
 * Providers charge up to a third more in some regions. A region whose price differs by more than 40% from the
 * provider's base price is disputed: it loses its offer, and the model lists both prices. A service class costs the
 * same multiple of the base price in every region. If it does not, we cannot tell which region is wrong, so no region
 * sells that class.
 */
export function settleRegions(row: CatalogueRow): CatalogueRow {
  const disputes = row.prices.flatMap((price) => {
    const plain = plainOf(row.prices, price)
    return plain !== undefined && isFarFrom(plain.units, price.units) ? [disputeOf(price, plain)] : []
  })
  const isClear = ({ provider, variant }: Pick<PriceRow, 'provider' | 'variant'>): boolean =>
    !disputes.some((each) => each.provider === provider && each.region === variant)
  const prices = row.prices.filter(isClear)
  return {
    ...row,
    offers: row.offers.filter(isClear),
    prices: prices.map((price) => (isOfficial(row, price) ? price : withoutDisputedClasses(price, prices))),
    details: withDisputedPrices(row.details, [...disputedPricesOf(row.details), ...disputes]),
  }
}

/** Variants that are not regions. Their prices may differ from the base price by any amount. */
const serviceTiers: ReadonlySet<string> = new Set(['flex', 'priority', 'batch'])

function plainOf(prices: readonly PriceRow[], { provider, variant }: PriceRow): PriceRow | undefined {
  if (variant === '' || serviceTiers.has(variant)) return undefined
  return prices.find((each) => each.provider === provider && each.variant === '')
}

function isFarFrom(plain: StatedUnits, regional: StatedUnits): boolean {
  return (['prompt', 'completion'] as const).some((unit) => {
    const [one, other] = [plain[unit], regional[unit]]
    return one !== undefined && other !== undefined && isApart(parseUnitPrice(one), parseUnitPrice(other), 40n)
  })
}

/** Whether the larger exceeds the smaller by more than this percentage. */
function isApart(one: bigint, other: bigint, percent: bigint): boolean {
  const [low, high] = one < other ? [one, other] : [other, one]
  return high * 100n > low * (100n + percent)
}

function disputeOf({ provider, variant, units }: PriceRow, plain: PriceRow): DisputedPrice {
  const quotes = [
    { source: `for ${variant}`, units: tokensOf(units) },
    { source: 'for other regions', units: tokensOf(plain.units) },
  ]
  return { provider, region: variant, quotes }
}

function tokensOf({ prompt, completion }: StatedUnits): StatedUnits {
  return { ...(prompt === undefined ? {} : { prompt }), ...(completion === undefined ? {} : { completion }) }
}

function isOfficial({ offers }: CatalogueRow, { provider, variant }: PriceRow): boolean {
  const offer = offers.find((each) => each.provider === provider && each.variant === variant)
  return offer !== undefined && officialPriceOf(offer) !== undefined
}

function withoutDisputedClasses(price: PriceRow, prices: readonly PriceRow[]): PriceRow {
  const there = prices.filter(({ provider }) => provider === price.provider).map(({ units }) => units)
  const disputed = (['flex', 'priority'] as const).filter((service) =>
    there.some((one) => there.some((other) => isOtherMultiple(service, one, other))),
  )
  const isKept = ([unit]: [string, string]): boolean => !disputed.some((service) => unit.startsWith(`${service}_`))
  return { ...price, units: Object.fromEntries(Object.entries(price.units).filter(isKept)) }
}

function isOtherMultiple(service: 'flex' | 'priority', one: StatedUnits, other: StatedUnits): boolean {
  return (['prompt', 'completion'] as const).some((unit) => {
    const texts = [one[`${service}_${unit}`], other[unit], other[`${service}_${unit}`], one[unit]]
    const [mine = 0n, theirPlain = 0n, theirs = 0n, myPlain = 0n] = texts.map((text) => parseUnitPrice(text ?? '0'))
    return mine > 0n && theirs > 0n && isApart(mine * theirPlain, theirs * myPlain, 5n)
  })
}
