import type { ErrorName } from '#errors/catalogue.ts'
import type { GatewayError } from '#errors/gateway-error.ts'

/** Errors of other statuses after which no further response of the session can succeed. */
const final: ReadonlySet<ErrorName> = new Set([
  'spendBreakerTripped',
  'sessionQuotaUsed',
  'penaltyBlocked',
  'brakeEngaged',
  'modelNotServed',
  'modelRetired',
  'internal',
])

/** Errors about one event, although their status is that of a key without rights. */
const ofEvents: ReadonlySet<ErrorName> = new Set(['contentFilter', 'contentModeration'])

/** Whether an error ends the session: the key, the credit or the model is gone. Others are about one event. */
export function endsSession({ errorName, row: { status } }: GatewayError): boolean {
  if (ofEvents.has(errorName)) return false
  return final.has(errorName) || status === 401 || status === 402 || status === 403
}
