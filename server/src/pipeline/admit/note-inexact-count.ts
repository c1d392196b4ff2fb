import { judgeCharge } from '#domain/ledger/judge-charge.ts'
import { outputCapMinOf } from '#providers/output-cap-min.ts'
import { holdFor } from '../hold-for.ts'
import type { Judged, Ticket } from '../types.ts'
import type { InexactUpstreams } from './inexact-upstreams.ts'

/**
 * Records an upstream whose count is far beyond what the request can have used. No client can cause that: a token has
 * at least one byte, and the upstream got a cap. The threshold is twice the maximum, because upstreams add their own
 * instructions to a prompt.
 */
export function noteInexactCount({ plan, heldTokens }: Ticket, { outcome }: Judged, inexact: InexactUpstreams): void {
  const { candidate, answer } = outcome
  const usage = answer?.usage ?? null
  if (candidate?.billing !== 'charged' || usage === null || plan.call.media !== undefined) return
  const { billing, price, account } = candidate
  const outputTokens = Math.max(heldTokens, outputCapMinOf(account.vendor, candidate) * plan.call.choiceCount)
  const exact = holdFor([candidate], { ...plan.call, holdsExactly: true }, outputTokens)
  if (judgeCharge({ usage, billing, price }).charge.cost > exact * toleratedFactor) inexact.note(candidate)
}

const toleratedFactor = 2n
