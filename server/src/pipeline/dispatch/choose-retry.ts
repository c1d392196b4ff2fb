import type { Candidate } from '#domain/routing/candidates.ts'
import type { Ticket } from '../types.ts'
import type { FailedTry } from './conclude-failures.ts'

// An upstream that asks for a longer pause than this is not worth keeping a caller waiting for.
const waitMaxMs = 2_000
const pauseMs = 200

const transient = new Set<FailedTry['errorName']>(['upstreamUnavailable', 'upstreamUnreachable', 'upstreamRateLimited'])

/** After everybody has failed: whom to ask once more, if it may have been a hiccup, and after which pause. */
export function chooseRetry(
  { arrival }: Pick<Ticket, 'arrival'>,
  tries: readonly FailedTry[],
): { candidate: Candidate; waitMs: number } | null {
  if (arrival.caller.streaming || arrival.caller.gone) return null
  let best: { candidate: Candidate; waitMs: number } | null = null
  for (const { candidate, errorName, retryAfterMs } of tries) {
    const waitMs = retryAfterMs ?? pauseMs
    if (!transient.has(errorName) || waitMs > waitMaxMs) continue
    // The earlier one wins a tie: it was preferred before.
    if (best === null || waitMs < best.waitMs) best = { candidate, waitMs }
  }
  return best
}
