import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import type { Plan } from '../types.ts'

/**
 * What is left of a plan that can not be paid for: an organization's own key, which costs it nothing here. Null where there is
 * none, so that the request is refused.
 */
export function ownKeysOnly(plan: Plan): Plan | null {
  const candidates = plan.candidates.filter(({ billing }) => billing === 'own_key')
  if (candidates.length === 0) return null
  const left: Excluded[] = plan.candidates
    .filter(({ billing }) => billing !== 'own_key')
    .map(({ model, account }) => ({ model: model.id, provider: account.vendor, rule: 'no_credit' }))
  const explanation = {
    ...plan.explanation,
    candidates: candidates.map(({ model, account }) => ({ model: model.id, provider: account.vendor })),
    excluded: [...plan.explanation.excluded, ...left],
  }
  const { growth: _growth, ...rest } = plan
  return { ...rest, candidates, amount: zeroUsd, estimate: zeroUsd, isOpenEnded: false, isBilled: false, explanation }
}
