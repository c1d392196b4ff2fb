import { failedReasons } from '#domain/usage/failed-reasons.ts'
import type { RefundReason } from './generation-record.ts'

/**
 * What became of a request. `charged`: it was charged, if only nothing. `refunded`: it cost nothing because of the
 * client or its terms. `failed`: it cost nothing because the gateway or a provider failed. `refused`: before a hold.
 */
export const requestOutcomes = ['charged', 'refunded', 'failed', 'refused'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]

export function requestOutcome(request: {
  readonly isRefused: boolean
  readonly refundReason: RefundReason | null
}): RequestOutcome {
  const { isRefused, refundReason } = request
  if (isRefused) return 'refused'
  if (refundReason === null) return 'charged'
  return failedReasons.some((reason) => reason === refundReason) ? 'failed' : 'refunded'
}
