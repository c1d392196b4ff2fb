import type { ExtendedHold, Money } from '#ports/money.ts'
import { cappedOutput } from '../told-cap.ts'
import { holdFor, leastTokensFor } from '../hold-for.ts'
import type { SeenOutput, Ticket, WatchOutput } from '../types.ts'

/** Raises an open-ended hold while its stream runs. */
export interface HoldExtender {
  watch: WatchOutput
}

// The hold is extended when three quarters are used, so that Postgres responds before the rest is used.
const startAt = 0.75
// If the hold covers the cap that was sent upstream, output beyond it means a wrong estimate or an upstream that
// ignores its cap.
const breachAt = 2

export function createHoldExtender(deps: { money: Money; onError: (error: unknown) => void }): HoldExtender {
  const underWay = new WeakSet<Ticket>()
  const latest = new WeakMap<Ticket, SeenOutput>()
  /** Tickets whose last extension took all remaining credit. They extend again only when that is used up. */
  const short = new WeakSet<Ticket>()

  function stepFor(ticket: Ticket, { candidate, tokens }: SeenOutput): number | null {
    const cap = cappedOutput(ticket, candidate)
    if (ticket.heldTokens >= cap) return tokens > ticket.heldTokens * breachAt ? tokens : null
    const isDue = tokens >= ticket.heldTokens * (short.has(ticket) ? 1 : startAt)
    return isDue ? Math.max(tokens, Math.min(cap, Math.max(ticket.heldTokens, tokens) * 2)) : null
  }

  const watch: WatchOutput = (ticket, output, refused) => {
    // Nearly all chunks of nearly all streams end here, before any calculation.
    if (!ticket.plan.isOpenEnded || output.tokens < ticket.heldTokens * startAt) return
    latest.set(ticket, output)
    if (underWay.has(ticket)) return
    const step = stepFor(ticket, output)
    if (step === null) return
    const { call, candidates, maxCost } = ticket.plan
    const total = holdFor(candidates, call, step)
    if (maxCost !== undefined && total > maxCost) return refused('max_cost')
    underWay.add(ticket)
    deps.money
      .extend({ id: ticket.arrival.generationId, total, windows: ticket.windows })
      .then((extended) => {
        underWay.delete(ticket)
        // A hold that has lapsed meanwhile cannot grow. The settle charges as much as the wallet and limits have room
        // for.
        if (ticket.settlement !== null || extended === null) return
        const { refusedBy } = extended
        grow(ticket, extended, step)
        if (refusedBy !== null) short.add(ticket)
        if (refusedBy !== null && output.tokens >= ticket.heldTokens) return refused(refusedBy)
        // More output may have arrived while the store responded, and no further chunk may follow.
        watch(ticket, latest.get(ticket) ?? output, refused)
      })
      // An unavailable store is not the client's fault: the stream continues and settles into the spool.
      .catch((error: unknown) => {
        underWay.delete(ticket)
        deps.onError(error)
      })
  }
  return { watch }
}

/** The granted amount may be less than the step requested. */
function grow(ticket: Ticket, { total, refusedBy }: ExtendedHold, step: number): void {
  const { call, candidates } = ticket.plan
  const tokens = refusedBy === null ? step : leastTokensFor(total, call, candidates)
  ticket.heldTokens = Math.max(ticket.heldTokens, tokens)
  ticket.heldAmount = total
}
