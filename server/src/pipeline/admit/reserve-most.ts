import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { mostFor } from '../hold-for.ts'
import { statedTokensMax, usualTokensMax } from '../output-tokens-max.ts'
import type { Plan } from '../types.ts'
import { reserveExactly } from './reserve-exactly.ts'

/**
 * A plan whose hold covers any count that the upstream reports: for each choice, a prompt that fills the context and
 * the model's longest output, even if the request has a cap. Media endpoints count only the ordered output.
 */
export function holdMost(plan: Plan): Plan {
  if (plan.call.media !== undefined) return reserveExactly(plan)
  const { growth: _growth, ...rest } = plan
  const { candidates, call } = plan
  const tokens = Math.max(...candidates.map((candidate) => statedTokensMax(candidate) ?? usualTokensMax))
  const ofOne = mostFor(candidates, call, tokens)
  return {
    ...rest,
    heldTokens: tokens * call.choiceCount,
    amount: larger(plan.amount, nanoUsd(ofOne * BigInt(call.choiceCount))),
    isOpenEnded: false,
    reservesExactly: true,
  }
}

/** The same for a wallet that has exceeded its daily limit of unpaid costs. The error message must say so. */
export function reserveMost(plan: Plan): Plan {
  return { ...holdMost(plan), reservesMost: true }
}

function larger(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one > other ? one : other
}
