import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Plan } from '../types.ts'
import type { InexactUpstreams } from './inexact-upstreams.ts'
import { reserveExactly } from './reserve-exactly.ts'
import { holdMost } from './reserve-most.ts'

/** The possible cost of a request for the operator beyond its hold, and the same plan with a hold that covers it. */
export interface OperatorRisk {
  readonly amount: NanoUsd
  readonly covered: Plan
}

/**
 * Holds cover the usual cost of requests. The difference is small for an upstream that respects its cap, and large for
 * any other.
 */
export function riskOf(plan: Plan, inexact: Pick<InexactUpstreams, 'has'>): OperatorRisk {
  const isExact = !plan.candidates.some((each) => each.billing === 'charged' && inexact.has(each))
  const covered = isExact ? reserveExactly(plan) : holdMost(plan)
  return { amount: nanoUsd(covered.amount - plan.amount), covered }
}
