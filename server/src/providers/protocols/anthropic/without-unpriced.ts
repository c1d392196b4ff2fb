import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { isUnpricedTier } from '#providers/unpriced-tier.ts'

/**
 * A Messages body without what would cost more than its list says: to answer at the speed `fast` without a price for it, and to fall
 * back to models with prices of their own. A place of thinking is no wish that may be left out, so that it is refused. What an
 * organization asks with its own key is its own bill.
 */
export function withoutUnpriced(body: JsonObject, target: Target): { body: JsonObject; left: string[] } {
  if (target.pricesPriority === undefined) return { body, left: [] }
  const { inference_geo: place } = body
  if (typeof place === 'string' && place !== usualPlace) throw unpricedPlace(place)
  const left = [
    ...(isUnpricedTier(body.speed, target) ? ['speed'] : []),
    ...(isSaid(body.fallbacks) ? ['fallbacks'] : []),
  ]
  if (left.length === 0) return { body, left }
  return { body: Object.fromEntries(Object.entries(body).filter(([field]) => !left.includes(field))), left }
}

const usualPlace = 'global'

function unpricedPlace(place: string): GatewayError {
  return new GatewayError('unsupportedParam', {
    message: `\`inference_geo\` can only be "${usualPlace}": "${place}" costs more, and has no price here.`,
  })
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}
