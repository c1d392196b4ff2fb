import type { GatewayError } from '#errors/gateway-error.ts'

/** The error codes that clients of Responses act on. They are strings even if ours is a status. */
export function failureCode(error: GatewayError): string {
  switch (error.errorName) {
    case 'insufficientCredits':
    case 'spendLimitExceeded':
    case 'budgetCapReached':
    case 'spendBreakerTripped':
      return 'insufficient_quota'
    case 'rateLimited':
    case 'penaltyBlocked':
    case 'upstreamRateLimited':
      return 'rate_limit_exceeded'
    case 'contextTooLong':
      return 'context_length_exceeded'
    case 'invalidPrompt':
    case 'contentModeration':
      return 'invalid_prompt'
    case 'upstreamUnavailable':
    case 'upstreamUnreachable':
    case 'upstreamStalled':
    case 'noUpstream':
    case 'modelNotServed':
    case 'overloaded':
    case 'draining':
    case 'brakeEngaged':
      return 'server_is_overloaded'
    default:
      return 'server_error'
  }
}
