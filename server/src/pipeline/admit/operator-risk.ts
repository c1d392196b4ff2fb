import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Plan } from '../types.ts'
import type { InexactUpstreams } from './inexact-upstreams.ts'
import { exactSurplus, reserveExactly } from './reserve-exactly.ts'
import { holdMost } from './reserve-most.ts'

/** The possible cost of a request for the operator beyond its hold. */
export interface OperatorRisk {
  readonly amount: NanoUsd
  /** The same plan with a hold that covers it. */
  covered(): Plan
}

/**
 * Holds cover the usual cost of requests. The difference is small for an upstream that respects its cap, and large for
 * any other.
 */
export function riskOf(plan: Plan, inexact: Pick<InexactUpstreams, 'has'>): OperatorRisk {
  const isExact = !plan.candidates.some((each) => each.billing === 'charged' && inexact.has(each))
  if (isExact) return { amount: exactSurplus(plan), covered: () => reserveExactly(plan) }
  const covered = holdMost(plan)
  return { amount: nanoUsd(covered.amount - plan.amount), covered: () => covered }
}
