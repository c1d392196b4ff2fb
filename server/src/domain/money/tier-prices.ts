import { servedTierOf, type ServiceTier, serviceTierIn, withoutServiceTier } from '#domain/inference/service-tier.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { JsonObject } from '#lib/json.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'
import { inProportion, type UnitPrice } from './unit-price.ts'

/** Whether a list says what a tier costs. */
export function pricesTier({ base }: Pick<PriceList, 'base'>, tier: ServiceTier): boolean {
  return base[`${tier}_prompt`] !== undefined && base[`${tier}_completion`] !== undefined
}

/**
 * The tier that a request may be served in by this seller, at a price of its own. Models of OpenAI alone are told
 * `service_tier`, and Claude alone `speed`.
 */
export function tierAskedOf(
  { service_tier: asked, speed }: JsonObject,
  { model: { author }, price: list }: { model: Pick<Model, 'author'>; price: PriceList },
): ServiceTier | undefined {
  const tier = author === 'openai' ? serviceTierIn(asked) : author === 'anthropic' ? serviceTierIn(speed) : undefined
  return tier !== undefined && pricesTier(list, tier) ? tier : undefined
}

/** An answer in a tier that the client did not ask for costs what it usually does. */
export function inAskedTier(usage: Usage, body: JsonObject, seller: Parameters<typeof tierAskedOf>[1]): Usage {
  const tier = servedTierOf(usage)
  return tier === undefined || tier === tierAskedOf(body, seller) ? usage : withoutServiceTier(usage)
}

/**
 * The prices of a tier. Lists have two for each; the other tokens, such as those from a cache, become dearer or cheaper
 * as plain ones do, rounded up. So do those of longer prompts, whose own prices seldom say what a tier costs: `base`
 * does.
 */
export function tierPrices(prices: UnitPrices, tier: ServiceTier | undefined, base: UnitPrices): UnitPrices {
  if (tier === undefined) return prices
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

/**
 * The list to hold by: each unit at the dearer of its usual price and that of the tier, because the answer decides
 * which it is.
 */
export function heldPrices(list: PriceList, tier: ServiceTier | undefined): PriceList {
  if (tier === undefined) return list
  const dearer = (prices: UnitPrices): UnitPrices => {
    const inTier = tierPrices(prices, tier, list.base)
    const units = [...inputUnits, ...outputUnits, 'prompt', 'completion'] as const
    const dearest = units.flatMap((unit) => {
      const [usual, other] = [prices[unit], inTier[unit]]
      return usual !== undefined && other !== undefined && other > usual ? [[unit, other] as const] : []
    })
    return { ...prices, ...Object.fromEntries(dearest) }
  }
  return {
    ...list,
    base: dearer(list.base),
    tiers: list.tiers.map((each) => ({ ...each, prices: dearer(each.prices) })),
  }
}
