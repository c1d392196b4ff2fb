import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { holdFor } from '../hold-for.ts'
import type { Plan } from '../types.ts'

/**
 * A plan whose hold covers any count of an upstream that respects its cap. The hold still grows with open-ended output.
 */
export function reserveExactly(plan: Plan): Plan {
  const more = exactSurplus(plan)
  const { growth } = plan
  return {
    ...plan,
    call: { ...plan.call, holdsExactly: true },
    amount: nanoUsd(plan.amount + more),
    ...(growth === undefined ? {} : { growth: grownBy(growth, more) }),
    reservesExactly: true,
  }
}

/** The amount that such a hold adds. */
export function exactSurplus({ call, candidates, heldTokens, amount }: Plan): NanoUsd {
  const exact = holdFor(candidates, { ...call, holdsExactly: true }, heldTokens)
  return exact > amount ? nanoUsd(exact - amount) : zeroUsd
}

function grownBy({ wish, comfort }: NonNullable<Plan['growth']>, more: bigint): NonNullable<Plan['growth']> {
  return { wish: nanoUsd(wish + more), comfort: comfort === null ? null : nanoUsd(comfort + more) }
}
