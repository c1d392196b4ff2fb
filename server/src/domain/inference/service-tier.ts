import type { Usage } from './usage.ts'

/** Service tiers with their own prices. */
export type ServiceTier = 'flex' | 'priority'

/** The tier of a request or a response; undefined for the default tier and for values without a price. */
export function serviceTierIn(value: unknown): ServiceTier | undefined {
  // OpenAI accepts two names for this tier, and responds with the second.
  if (value === 'fast' || value === 'priority') return 'priority'
  return value === 'flex' ? 'flex' : undefined
}

/** The tier in which a response was served. */
export function servedTierOf({ media }: Usage): ServiceTier | undefined {
  return serviceTierIn(media?.variant?.service_tier)
}

/** Adds a tier to usage. */
export function withServiceTier(usage: Usage, tier: ServiceTier | undefined): Usage {
  if (tier === undefined) return usage
  return { ...usage, media: { ...usage.media, variant: { ...usage.media?.variant, service_tier: tier } } }
}

/** Removes the tier, for responses in a tier that the client did not request. */
export function withoutServiceTier(usage: Usage): Usage {
  if (usage.media?.variant?.service_tier === undefined) return usage
  const { media: { variant: { service_tier: _tier, ...variant } = {}, ...media } = {}, ...classes } = usage
  const left = Object.keys(variant).length === 0 ? media : { ...media, variant }
  return Object.keys(left).length === 0 ? classes : { ...classes, media: left }
}
