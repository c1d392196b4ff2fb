import type { Principal } from '#domain/access/principal.ts'
import { scopeOf } from '#domain/limits/scopes.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/**
 * The error of a stream that was cut off because its hold could not grow. `scope` lacked room: `wallet`, the kind of a
 * window, or `max_cost` for the client's own limit.
 */
export function exhaustion(scope: string, { organization }: Principal): GatewayError {
  if (scope === 'max_cost') {
    return new GatewayError('maxCostTooLow', {
      message: 'The response reached the maximum cost that the request allows, so it was cut off.',
    })
  }
  const limit = scopeOf(scope)
  if (limit !== undefined) {
    return new GatewayError(limit.refusal, {
      message: `The ${limit.title} was ${limit.end ?? 'reached'} mid-stream, so the response was cut off. You were not charged for it.`,
    })
  }
  return organization?.billing === 'monthly'
    ? new GatewayError('creditLimitExceeded', {
        message:
          "The organization's credit line was used up mid-stream, so the response was cut off. Ask for a higher credit line to get longer responses.",
      })
    : new GatewayError('insufficientCredits', {
        message: 'Your credit ran out mid-stream, so the response was cut off. Top up to get longer responses.',
      })
}
