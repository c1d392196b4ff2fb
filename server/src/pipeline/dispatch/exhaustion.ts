import type { Principal } from '#domain/access/principal.ts'
import { scopeOf } from '#domain/limits/scopes.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Why a stream was cut off whose hold could not grow, by what was short: `wallet` or the kind of a window. */
export function exhaustion(scope: string, { organization }: Principal): GatewayError {
  const limit = scopeOf(scope)
  if (limit !== undefined) {
    return new GatewayError(limit.refusal, {
      message: `The ${limit.title} was reached while streaming, and the answer was cut off. Nothing was charged for it.`,
    })
  }
  return organization?.billing === 'monthly'
    ? new GatewayError('creditLimitExceeded', {
        message:
          'The credit line ran out while streaming, and the answer was cut off. Have the line raised to get longer answers.',
      })
    : new GatewayError('insufficientCredits', {
        message: 'The credits ran out while streaming, and the answer was cut off. Top up to get longer answers.',
      })
}
