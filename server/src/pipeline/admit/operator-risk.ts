import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Plan } from '../types.ts'
import type { InexactUpstreams } from './inexact-upstreams.ts'
import { reserveExactly } from './reserve-exactly.ts'
import { holdMost } from './reserve-most.ts'

/** What a request may cost the operator beyond its hold, and the same plan with a hold that covers it. */
export interface OperatorRisk {
  readonly amount: NanoUsd
  readonly covered: Plan
}

/**
 * Holds are for what calls usually cost. Of an upstream that keeps to its cap the difference is small, of any other it
 * is not.
 */
export function riskOf(plan: Plan, inexact: Pick<InexactUpstreams, 'has'>): OperatorRisk {
  const isExact = !plan.candidates.some((each) => each.billing === 'charged' && inexact.has(each))
  const covered = isExact ? reserveExactly(plan) : holdMost(plan)
  return { amount: nanoUsd(covered.amount - plan.amount), covered }
}
