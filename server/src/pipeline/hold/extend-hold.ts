import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Money } from '#ports/money.ts'
import type { Ticket } from '../types.ts'

/** Raises an open-ended hold while its stream runs. */
export interface HoldExtender {
  /** Looks at the output so far; calls `refused` when it has outgrown what can be paid for. */
  watch(ticket: Ticket, outputTokens: number, refused: () => void): void
}

// A step starts when three quarters are used, so that the answer arrives before the rest is.
const startAt = 0.75

export function createHoldExtender(deps: {
  money: Money
  amountFor: (ticket: Ticket, outputTokens: number) => NanoUsd
  onError: (error: unknown) => void
}): HoldExtender {
  const underWay = new WeakSet<Ticket>()
  return {
    watch: (ticket, outputTokens, refused) => {
      if (!ticket.plan.isOpenEnded || outputTokens < ticket.heldTokens * startAt || underWay.has(ticket)) return
      underWay.add(ticket)
      const tokens = Math.max(ticket.heldTokens * 2, outputTokens * 2)
      const total = deps.amountFor(ticket, tokens)
      deps.money
        .extend({ id: ticket.arrival.generationId, total, windows: ticket.windows })
        .then((extended) => {
          underWay.delete(ticket)
          if (ticket.settlement !== null) return
          if (!extended) return refused()
          ticket.heldTokens = tokens
          ticket.heldAmount = total
        })
        // The store being away is not the caller's fault: the stream goes on and settles into the spool.
        .catch((error: unknown) => {
          underWay.delete(ticket)
          deps.onError(error)
        })
    },
  }
}
