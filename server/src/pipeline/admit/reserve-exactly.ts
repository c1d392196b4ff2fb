import { nanoUsd } from '#domain/money/nano-usd.ts'
import { holdFor } from '../hold-for.ts'
import type { Plan } from '../types.ts'

/**
 * A plan whose hold covers any count of an upstream that respects its cap. The hold still grows with open-ended output.
 */
export function reserveExactly(plan: Plan): Plan {
  const call = { ...plan.call, holdsExactly: true } as const
  const exact = holdFor(plan.candidates, call, plan.heldTokens)
  const more = exact > plan.amount ? exact - plan.amount : 0n
  const { growth } = plan
  return {
    ...plan,
    call,
    amount: nanoUsd(plan.amount + more),
    ...(growth === undefined ? {} : { growth: grownBy(growth, more) }),
    reservesExactly: true,
  }
}

function grownBy({ wish, comfort }: NonNullable<Plan['growth']>, more: bigint): NonNullable<Plan['growth']> {
  return { wish: nanoUsd(wish + more), comfort: comfort === null ? null : nanoUsd(comfort + more) }
}
