import { servedTierOf, type ServiceTier, serviceTierIn, withoutServiceTier } from '#domain/inference/service-tier.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { JsonObject } from '#lib/json.ts'
import { oncePer } from '#lib/once-per.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'
import { inProportion, type UnitPrice } from './unit-price.ts'

/** Whether a list prices a tier. */
export function pricesTier({ base }: Pick<PriceList, 'base'>, tier: ServiceTier): boolean {
  return base[`${tier}_prompt`] !== undefined && base[`${tier}_completion`] !== undefined
}

/**
 * The tier in which this provider may serve a request at a separate price. Only OpenAI models get `service_tier`, and
 * only Claude gets `speed`.
 */
export function tierAskedOf(
  { service_tier: asked, speed }: JsonObject,
  { model: { author }, price: list }: { model: Pick<Model, 'author'>; price: PriceList },
): ServiceTier | undefined {
  const tier = author === 'openai' ? serviceTierIn(asked) : author === 'anthropic' ? serviceTierIn(speed) : undefined
  return tier !== undefined && pricesTier(list, tier) ? tier : undefined
}

/** A response in a tier that the client did not request costs the default price. */
export function inAskedTier(usage: Usage, body: JsonObject, seller: Parameters<typeof tierAskedOf>[1]): Usage {
  const tier = servedTierOf(usage)
  return tier === undefined || tier === tierAskedOf(body, seller) ? usage : withoutServiceTier(usage)
}

/**
 * The prices of a tier. Lists have two for each tier; other token prices, such as for cached tokens, change in the same
 * proportion as plain ones, rounded up. So do the prices of longer prompts, which seldom state a tier price of their
 * own, while `base` does.
 */
function tierPrices(prices: UnitPrices, tier: ServiceTier, base: UnitPrices): UnitPrices {
  const scaled: Partial<Record<PriceUnit, UnitPrice>> = {}
  for (const [plain, ownUnit, others] of [
    ['prompt', `${tier}_prompt`, inputUnits],
    ['completion', `${tier}_completion`, outputUnits],
  ] as const) {
    const usual = prices[plain]
    const own = prices[ownUnit] ?? proportional(usual, { from: base[plain], to: base[ownUnit] })
    if (own === undefined) continue
    scaled[plain] = own
    for (const unit of others) {
      const price = prices[unit]
      if (price === undefined || usual === undefined || usual === 0n) continue
      scaled[unit] = inProportion(price, { from: usual, to: own })
    }
  }
  return { ...prices, ...scaled }
}

function proportional(
  price: UnitPrice | undefined,
  { from, to }: { from: UnitPrice | undefined; to: UnitPrice | undefined },
): UnitPrice | undefined {
  if (price === undefined || from === undefined || from === 0n || to === undefined) return undefined
  return inProportion(price, { from, to })
}

const inputUnits = ['cache_read', 'cache_write', 'cache_write_1h', 'audio_input', 'audio_cache_read'] as const
const outputUnits = ['reasoning', 'image_output_token', 'audio_output'] as const
const tieredUnits = [...inputUnits, ...outputUnits, 'prompt', 'completion'] as const

/** The list for a charge in this tier. */
export const chargedPrices = oncePerTier((list, tier) =>
  withPrices(list, (prices) => tierPrices(prices, tier, list.base)),
)

/**
 * The list for holds: each unit at the higher of its default price and the tier's, because the response decides which
 * applies.
 */
export const heldPrices = oncePerTier((list, tier) =>
  withPrices(list, (prices) => {
    const inTier = tierPrices(prices, tier, list.base)
    const dearest = tieredUnits.flatMap((unit) => {
      const [usual, other] = [prices[unit], inTier[unit]]
      return usual !== undefined && other !== undefined && other > usual ? [[unit, other] as const] : []
    })
    return { ...prices, ...Object.fromEntries(dearest) }
  }),
)

function withPrices(list: PriceList, change: (prices: UnitPrices) => UnitPrices): PriceList {
  return {
    ...list,
    base: change(list.base),
    tiers: list.tiers.map((each) => ({ ...each, prices: change(each.prices) })),
  }
}

/** Computes each tier of a list once. */
function oncePerTier(
  compute: (list: PriceList, tier: ServiceTier) => PriceList,
): (list: PriceList, tier: ServiceTier | undefined) => PriceList {
  const knownOf = oncePer((_list: PriceList): Partial<Record<ServiceTier, PriceList>> => ({}))
  return (list, tier) => (tier === undefined ? list : (knownOf(list)[tier] ??= compute(list, tier)))
}
