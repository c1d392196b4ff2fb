import { serviceTierIn } from '#domain/inference/service-tier.ts'
import type { Target } from './protocol.ts'

/** To be served ahead of others costs more, so that it is only asked for where that has a price. */
export function isUnpricedTier(wish: unknown, { pricesPriority }: Pick<Target, 'pricesPriority'>): boolean {
  return pricesPriority === false && serviceTierIn(wish) === 'priority'
}
