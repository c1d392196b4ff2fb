import { purposeOf } from '#dialects/purpose-of.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Ticket } from '../types.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

type Begin = DispatchDeps['begin']

/** Starts an attempt in the way that fits the kind of output. */
export function createBegin(ways: {
  /** Text and speech: one exchange, passed on as it arrives. */
  readonly exchange: Begin
  /** All other media: one script of exchanges, used as a whole. */
  readonly media: Begin
  /**
   * Counts a request against the quota of the free model that it falls back to. Undefined if there is nothing to count.
   */
  readonly count: (ticket: Ticket, candidate: Candidate) => Promise<void> | undefined
}): Begin {
  return (ticket, candidate, watcher) => {
    const purpose = purposeOf(ticket.plan.call, candidate.model, ticket.arrival.wantsEvents)
    const begin = purpose === 'text' || purpose === 'speech' ? ways.exchange : ways.media
    const counted = ways.count(ticket, candidate)
    return counted === undefined
      ? begin(ticket, candidate, watcher)
      : counted.then(() => begin(ticket, candidate, watcher))
  }
}
