import { rateSubject } from '#domain/access/rate-subject.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Rates } from '#ports/shared-counts.ts'
import type { Ticket } from '../types.ts'
import type { LimitUnbilled } from './limit-unbilled.ts'

/**
 * Counts a response that its client abandoned before it could be billed: for the operator in money, and against the
 * client's rate.
 */
export function createNoteCancel(deps: {
  readonly count: () => void
  readonly unbilled: Pick<LimitUnbilled, 'noteLeft'>
  readonly rates: Pick<Rates, 'noteUnbilledCancel'>
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}): (ticket: Ticket, candidate: Candidate | null) => void {
  return (ticket, candidate) => {
    const { principal } = ticket
    deps.count()
    deps.unbilled.noteLeft(ticket, candidate)
    // All users of an institution share its key, and so do customers with tokens: only theirs may be blocked.
    const credential = principal.institutionSession?.id ?? principal.customerToken?.id ?? principal.keyId
    deps.rates.noteUnbilledCancel(rateSubject(principal, 'inference'), credential, deps.nowMs()).catch(deps.onError)
  }
}
