import { type AnsweredUsage, judgeCharge, refund } from '#domain/ledger/judge-charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { inAskedTier } from '#domain/money/tier-prices.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { Money, SettledCharge } from '#ports/money.ts'
import type { AnswerRecording, Judged, Outcome, Ticket } from '../types.ts'
import { boundCharge } from './bound-charge.ts'
import { withinAskedCap } from './within-asked-cap.ts'

export type SettleStage = (ticket: Ticket, outcome: Outcome) => Promise<NanoUsd>

/**
 * Ends a request exactly once: the first call decides the outcome, and every call gets the same promise. It resolves
 * when the charge is durable, so nothing that shows the cost may be sent before.
 */
export function createSettle(deps: {
  money: Money
  release: (ticket: Ticket) => void
  record: (ticket: Ticket, judged: Judged) => Parameters<Money['settle']>[0]['record']
  report: (ticket: Ticket, judged: Judged, settled: SettledCharge) => void
  onError: (error: unknown) => void
}): SettleStage {
  return (ticket, outcome) => {
    ticket.settlement ??= settleOnce(ticket, outcome)
    return ticket.settlement
  }

  async function settleOnce(ticket: Ticket, outcome: Outcome): Promise<NanoUsd> {
    const { onError, money } = deps
    const bound = boundCharge(ticket, judge(atAskedTier(outcome, ticket), ticket), { extend: money.extend, onError })
    const judged = bound instanceof Promise ? await bound : bound
    const { recording } = ticket.arrival
    if (recording !== undefined && outcome.kind === 'answered' && outcome.rest !== undefined) {
      if (failpointsArmed) await failpoint('before-answer')
      await recording.complete(outcome.rest(judged.charge.cost))
    }
    if (failpointsArmed) await failpoint('before-settle')
    try {
      const settled = await deps.money.settle({ record: deps.record(ticket, judged), windows: ticket.windows })
      if (failpointsArmed) await failpoint('after-settle')
      deps.report(ticket, judged, settled)
      if (recording !== undefined) await concludeRecording(recording, outcome, settled.cost === judged.charge.cost)
      return settled.cost
    } finally {
      // If settling fails, the hold must at least expire.
      deps.release(ticket)
    }
  }
}

/** An answer that is charged can be replayed from now on. After a refund, the idempotency key can be used again. */
async function concludeRecording(recording: AnswerRecording, outcome: Outcome, isAsWritten: boolean): Promise<void> {
  // A stream that was cut off by the stop of its run was charged, and has no end.
  if (outcome.kind === 'answered') recording.settled(isAsWritten && outcome.rest !== undefined)
  else await recording.forget()
}

function atAskedTier<End extends Outcome>(outcome: End, { plan }: Ticket): End {
  const { answer, candidate } = outcome
  if (answer === null || answer.usage === null || candidate === null) return outcome
  const usage = inAskedTier(answer.usage, plan.call.body, candidate)
  return usage === answer.usage ? outcome : { ...outcome, answer: { ...answer, usage } }
}

/** The cost of an outcome, before it is known whether its hold covers it. */
export function judge(outcome: Outcome, { plan }: Pick<Ticket, 'plan'>): Judged {
  if (outcome.kind === 'refunded') return { outcome, ...refund(outcome.reason), absorbed: zeroUsd, usageDoubted: false }
  const whole = usageOf(outcome)
  const verdict = judgeCharge(whole)
  const usage = whole.usage === null ? null : withinAskedCap(whole.usage, plan, outcome.candidate)
  if (usage === whole.usage) return { outcome, ...verdict, absorbed: zeroUsd, usageDoubted: false }
  const within = judgeCharge({ ...whole, usage })
  const absorbed = nanoUsd(verdict.charge.cost - within.charge.cost)
  return { outcome, ...within, absorbed, usageDoubted: false }
}

function usageOf({ answer, candidate }: Extract<Outcome, { kind: 'answered' }>): AnsweredUsage {
  const { billing, price, hitPricePercent } = candidate
  return { usage: answer.usage, billing, price, hitPricePercent }
}
