import type { Usage } from './usage.ts'

/** Ways of being served that have prices of their own. */
export type ServiceTier = 'flex' | 'priority'

/** The tier that a request asks for or an answer states; undefined for the usual one and for words without a price. */
export function serviceTierIn(value: unknown): ServiceTier | undefined {
  // OpenAI takes the one by two names, and answers with the second.
  if (value === 'fast' || value === 'priority') return 'priority'
  return value === 'flex' ? 'flex' : undefined
}

/** The tier that an answer was served in. */
export function servedTierOf({ media }: Usage): ServiceTier | undefined {
  return serviceTierIn(media?.variant?.service_tier)
}

/** Usage that was served in a tier. */
export function withServiceTier(usage: Usage, tier: ServiceTier | undefined): Usage {
  if (tier === undefined) return usage
  return { ...usage, media: { ...usage.media, variant: { ...usage.media?.variant, service_tier: tier } } }
}

/** The same without one, for answers in a tier that the client did not ask for. */
export function withoutServiceTier(usage: Usage): Usage {
  if (usage.media?.variant?.service_tier === undefined) return usage
  const { media: { variant: { service_tier: _tier, ...variant } = {}, ...media } = {}, ...classes } = usage
  const left = Object.keys(variant).length === 0 ? media : { ...media, variant }
  return Object.keys(left).length === 0 ? classes : { ...classes, media: left }
}
