import { judgeCharge } from '#domain/ledger/judge-charge.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Plan } from '../types.ts'
import type { AnswerFacts } from './kept-answer.ts'

/**
 * The plan of a request that gets a kept answer: only the candidate that gave it, and its price now. An answer that was
 * not charged the first time, such as one of an organization's own key or within a free quota, is free. Null if the hit
 * would exceed the maximum cost of the request.
 */
export function planHit(
  { growth: _growth, freeAsks: _asks, hedgeAfter: _hedge, ...plan }: Plan,
  {
    candidate,
    facts,
    percent,
  }: { candidate: Candidate; facts: Pick<AnswerFacts, 'usage' | 'isCharged'>; percent: number },
): Plan | null {
  const cached: Candidate = {
    ...candidate,
    billing: 'cached',
    hitPricePercent: facts.isCharged && candidate.billing === 'charged' ? percent : 0,
  }
  const { cost } = judgeCharge({ ...cached, usage: facts.usage }).charge
  if (plan.maxCost !== undefined && cost > plan.maxCost) return null
  return {
    ...plan,
    candidates: [cached],
    heldTokens: 0,
    amount: cost,
    estimate: cost,
    isOpenEnded: false,
    isBilled: cost > 0n,
  }
}
