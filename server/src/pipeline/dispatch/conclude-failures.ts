import type { Candidate } from '#domain/routing/candidates.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { PublicText } from '#lib/public-text.ts'
import type { AttemptFailure } from './attempt/attempt.ts'

export interface FailedTry {
  candidate: Candidate
  errorName: ErrorName
  message: PublicText
  /** The upstream's error text without words of the client. Absent if there was none. */
  said?: string | undefined
  retryAfterMs: number | null
  /** The candidate would fail again immediately. */
  isLasting?: true
}

/**
 * The client's error when no upstream served: the error that all attempts have in common, otherwise that upstreams are
 * unavailable.
 */
export function concludeFailures(tries: readonly FailedTry[]): GatewayError {
  const names = new Set(tries.map((failed) => failed.errorName))
  const [only] = names
  const errorName = names.size === 1 && only !== undefined ? only : 'upstreamUnavailable'
  const inside = tries
    .map((failed) => `${failed.candidate.account.name}: ${failed.errorName}: ${failed.said ?? failed.message}`)
    .join('; ')
  const waits = tries.map((failed) => failed.retryAfterMs).filter((wait) => wait !== null)
  return new GatewayError(errorName, {
    message: messageFor(errorName, tries),
    inside,
    ...(waits.length > 0 ? { retryAfterS: Math.max(1, Math.ceil(Math.min(...waits) / 1_000)) } : {}),
  })
}

// Errors that the client can fix have their own message.
function messageFor(errorName: ErrorName, tries: readonly FailedTry[]): string {
  const [first] = tries
  if (first !== undefined && errorCatalogue[errorName].owner === 'client') return first.message
  if (errorName === 'upstreamAuthFailed' && tries.every(({ candidate }) => candidate.billing === 'own_key')) {
    return "The provider rejected your organization's BYOK key. Check or replace the key. Nothing was charged."
  }
  return messages[errorName] ?? 'All upstream providers failed. Nothing was charged.'
}

const messages: Partial<Record<ErrorName, string>> = {
  upstreamUnreachable: 'No upstream provider could be reached. Nothing was charged.',
  upstreamAuthFailed:
    "The upstream providers rejected the gateway's credentials. Nothing was charged. Try another model or contact support.",
  upstreamRateLimited: 'All providers for this model are rate limiting requests. Nothing was charged. Retry later.',
  noImages: 'The upstream returned no image. Nothing was charged.',
  upstreamStalled: 'The upstream timed out. Nothing was charged.',
}

/** An error name as shown outside an error response. */
export function wordFor(errorName: ErrorName): string {
  return errorName.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The error name of a failed exchange. */
export function nameOfFailure(failure: AttemptFailure): ErrorName {
  switch (failure.kind) {
    case 'unreachable':
      return 'upstreamUnreachable'
    case 'timeout':
      return 'upstreamStalled'
    case 'broken':
    case 'oversize':
    case 'error':
    case 'empty':
      return 'upstreamUnavailable'
  }
}
