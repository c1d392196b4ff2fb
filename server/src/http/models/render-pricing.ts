import type { PriceList, PriceTier, UnitPrices } from '#domain/money/price-list.ts'
import { formatUnitPrice, perMillion, type UnitPrice } from '#domain/money/unit-price.ts'
import type { Pricing, PricingTier } from './model-schema.ts'

/** Per million, of the lowest tier. A unit without a price costs nothing here; `priced` tells a missing list from that. */
export function renderPricing(price: PriceList | null): Pricing {
  return renderUnits(price?.base ?? {}, perMillion)
}

/** Per token, as the contract has it. Undefined where the length of the input does not matter. */
export function renderPricingTiers(price: PriceList | null): PricingTier[] | undefined {
  return price === null || price.tiers.length === 0 ? undefined : price.tiers.map(renderTier)
}

function renderTier(tier: PriceTier): PricingTier {
  return { above_prompt_tokens: tier.abovePromptTokens, ...renderUnits(tier.prices, formatUnitPrice) }
}

function renderUnits(prices: UnitPrices, write: (price: UnitPrice) => string): Pricing {
  const { prompt, completion, cache_read: cacheRead, cache_write: cacheWrite } = prices
  return {
    prompt: prompt === undefined ? '0' : write(prompt),
    completion: completion === undefined ? '0' : write(completion),
    ...(cacheRead === undefined ? {} : { input_cache_read: write(cacheRead) }),
    ...(cacheWrite === undefined ? {} : { input_cache_write: write(cacheWrite) }),
  }
}
