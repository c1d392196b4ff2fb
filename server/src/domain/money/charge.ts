import type { SearchAllowance } from '#domain/inference/search-allowance.ts'
import { servedTierOf } from '#domain/inference/service-tier.ts'
import { completionTokensOf, promptTokensOf, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { classNames, classPrice } from './class-price.ts'
import { mediaLines } from './media-lines.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from './nano-usd.ts'
import { type PriceList, type PriceUnit, pricesFor, type UnitPrices } from './price-list.ts'
import { priceOf } from './price-of.ts'
import { chargedPrices } from './tier-prices.ts'

/** A charged quantity and the price of one unit of it. */
interface ChargedItem {
  readonly item: keyof UsageClasses | PriceUnit | 'request' | 'stated_by_upstream'
  /** An integer for tokens, images and characters; seconds and megapixels may have decimals. */
  readonly count: number
  /** In 10^-18 USD. */
  readonly price: bigint
}

interface ItemizedCharge {
  /** The prices that apply to this usage. Empty if the upstream stated the cost. */
  readonly prices: UnitPrices
  readonly items: readonly ChargedItem[]
  /** In 10^-18 USD. */
  readonly total: bigint
}

export interface Charge {
  cost: NanoUsd
  /** The savings on cached tokens compared with the prompt price. */
  cacheDiscount: NanoUsd
}

/** Multiplies exactly and rounds up once, over the whole request. */
export function chargeFor(usage: Usage, list: PriceList): Charge {
  const { total, prices } = itemize(usage, list)
  return { cost: roundUp(total), cacheDiscount: cacheDiscount(usage, prices) }
}

/** The charge of a cached answer, at a percentage of each unit price. Rounded up once, like any other charge. */
export function hitChargeFor(usage: Usage, list: PriceList, percent: number): Charge {
  return { cost: roundUp(itemizeHit(usage, list, percent).total), cacheDiscount: zeroUsd }
}

/** The quantities of a kept answer. Only text is kept, and its quantities are integers. */
export function itemizeHit(usage: Usage, list: PriceList, percent: number): ItemizedCharge {
  const { prices, items } = itemize(usage, list)
  const parts = items.map((each) => ({ ...each, price: (each.price * BigInt(percent) + 99n) / 100n }))
  const least = parts.find(({ item }) => item === 'per_request_minimum')
  const total = least?.price ?? parts.reduce((sum, { count, price }) => sum + BigInt(Math.ceil(count)) * price, 0n)
  return { prices, items: parts, total }
}

/** The charged quantities and their exact sum. A receipt shows the same quantities. */
export function itemize(usage: Usage, list: PriceList): ItemizedCharge {
  const stated = usage.media?.statedNano
  if (stated !== undefined) return statedCharge(stated)
  const prices = pricesFor(chargedPrices(list, servedTierOf(usage)), promptTokensOf(usage))
  let total = 0n
  // In millionths of `total`.
  let exact = 0n
  const items: ChargedItem[] = []
  const media = mediaLines(usage, prices, list)
  const isSoundApart = media.lines.some(({ item }) => item === 'audio_cache_read')
  const cachedSound = isSoundApart ? (usage.media?.cachedAudioTokens ?? 0) : 0
  for (const item of classNames) {
    const count = usage[item] - (item === 'cacheRead' ? cachedSound : 0)
    if (count <= 0 || media.replaced.has(item)) continue
    const price = classPrice(item, prices)
    total += BigInt(count) * price
    items.push({ item, count, price })
  }
  for (const { item, millionths, price } of media.lines) {
    exact += millionths * price
    items.push({ item, count: Number(millionths) / 1e6, price })
  }
  const perRequest = prices.per_request ?? 0n
  if (perRequest > 0n) {
    total += perRequest
    items.push({ item: 'request', count: 1, price: perRequest })
  }
  const sum = total + (exact + millionthsMax) / millionthsInUnit
  const least = leastCharge(usage, prices, list)
  if (least <= sum) return { prices, items, total: sum }
  items.push({ item: 'per_request_minimum', count: 1, price: least })
  return { prices, items, total: least }
}

/** The minimum charge of some providers for media. Text has none, whatever was searched for it. */
function leastCharge({ media }: Usage, prices: UnitPrices, list: PriceList): bigint {
  if (media === undefined) return 0n
  const { webSearches: _searches, citationTokens: _citations, cachedAudioTokens: _sound, variant = {}, ...made } = media
  if (Object.keys(made).length === 0) return 0n
  return priceOf('per_request_minimum', prices, list, variant) ?? 0n
}

const millionthsInUnit = 1_000_000n
const millionthsMax = millionthsInUnit - 1n

function statedCharge(nano: number): ItemizedCharge {
  const price = BigInt(nano) * nanoInUnits
  return { prices: {}, items: [{ item: 'stated_by_upstream', count: 1, price }], total: price }
}

/**
 * The usual cost of this many tokens: the whole prompt as plain input, the whole output as plain completion, and all
 * searches.
 */
export function plainCharge(
  tokens: { prompt: number; completion: number; searches?: SearchAllowance },
  list: PriceList,
): NanoUsd {
  const prices = pricesFor(list, tokens.prompt)
  const words =
    BigInt(tokens.prompt) * (prices.prompt ?? 0n) +
    BigInt(tokens.completion) * (prices.completion ?? 0n) +
    (prices.per_request ?? 0n)
  const { searches } = tokens
  if (searches === undefined) return roundUp(words)
  return roundUp(
    words +
      BigInt(searches.webSearches) * (prices.web_search ?? prices.per_search ?? 0n) +
      BigInt(searches.citationTokens) * (prices.citation_token ?? 0n),
  )
}

function cacheDiscount(usage: UsageClasses, prices: UnitPrices): NanoUsd {
  if (usage.cacheRead === 0) return zeroUsd
  const saving = BigInt(usage.cacheRead) * ((prices.prompt ?? 0n) - classPrice('cacheRead', prices))
  return saving > 0n ? nanoUsd(saving / nanoInUnits) : zeroUsd
}

// Unit prices are in 10^-18 USD, money in 10^-9.
const nanoInUnits = 1_000_000_000n

export function roundUp(units: bigint): NanoUsd {
  return nanoUsd((units + nanoInUnits - 1n) / nanoInUnits)
}

/** The counts as the API's usage object shows them. */
export function tokenTotals(usage: Usage): { prompt: number; completion: number; total: number } {
  const prompt = promptTokensOf(usage)
  const completion = completionTokensOf(usage)
  return { prompt, completion, total: prompt + completion }
}
