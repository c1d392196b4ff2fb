import { isZeroUsage } from '#domain/inference/usage.ts'
import { type Charge, chargeFor } from '#domain/money/charge.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { Money, SettledCharge } from '#ports/money.ts'
import type { Judged, Outcome, Ticket } from '../types.ts'
import { boundCharge } from './bound-charge.ts'

export type SettleStage = (ticket: Ticket, outcome: Outcome) => Promise<NanoUsd>

/**
 * Ends a request, exactly once: whoever comes first decides the outcome, everyone gets the same promise. It resolves when
 * the charge is durable, so nothing that shows the cost may leave before.
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
    const judged = await boundCharge(ticket, judge(outcome), { extend: deps.money.extend, onError: deps.onError })
    if (failpointsArmed) await failpoint('before-settle')
    try {
      const settled = await deps.money.settle({ record: deps.record(ticket, judged), windows: ticket.windows })
      if (failpointsArmed) await failpoint('after-settle')
      deps.report(ticket, judged, settled)
      return settled.cost
    } finally {
      // A hold that nobody could settle must at least lapse.
      deps.release(ticket)
    }
  }
}

const nothing: Charge = { cost: zeroUsd, cacheDiscount: zeroUsd, lines: [] }

/** Only usage that the upstream reported is charged; a missing or all-zero record is a full refund, never an estimate. */
export function judge(outcome: Outcome): Judged {
  if (outcome.kind === 'refunded') return refunded(outcome, outcome.reason)
  const notBilled = refundReasonOf(outcome.candidate.billing)
  if (notBilled !== null) return refunded(outcome, notBilled)
  const { usage } = outcome.answer
  if (usage === null) return refunded(outcome, 'no_usage')
  if (isZeroUsage(usage)) return refunded(outcome, 'zero_usage')
  const charge = chargeFor(usage, outcome.candidate.price)
  if (charge.cost > costMax) return refunded(outcome, 'no_usage')
  return { outcome, charge, refundReason: null, absorbed: zeroUsd, usageDoubted: false }
}

function refunded(outcome: Outcome, refundReason: RefundReason): Judged {
  return { outcome, charge: nothing, refundReason, absorbed: zeroUsd, usageDoubted: false }
}

// A million dollars. What an upstream counts beyond it was not used, and would not fit the ledger's integers for long.
const costMax = 1_000_000_000_000_000n

function refundReasonOf(billing: Billing): RefundReason | null {
  switch (billing) {
    case 'charged':
      return null
    case 'free':
      return 'free_tier'
    case 'own_key':
      return 'own_key'
    case 'test':
      return 'not_billed'
  }
}
