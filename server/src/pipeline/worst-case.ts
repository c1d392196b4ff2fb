import type { Principal } from '#domain/access/principal.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { planOf, type QuoteDeps } from './quote.ts'
import { quotedCosts } from './quoted-costs.ts'
import type { Arrival } from './types.ts'

/** The most that a request can cost at any of its candidates. Nothing is held, counted or sent. */
export type WorstCase = (arrival: Arrival, principal: Principal) => Promise<NanoUsd>

export function createWorstCase(stages: QuoteDeps['stages']): WorstCase {
  return async (arrival, principal) => {
    const plan = await planOf(stages, arrival, principal)
    if (!plan.isBilled) return zeroUsd
    return plan.candidates
      .map((candidate) => quotedCosts(plan.call, candidate, null).worst)
      .reduce((most, worst) => (worst > most ? worst : most), plan.amount)
  }
}
