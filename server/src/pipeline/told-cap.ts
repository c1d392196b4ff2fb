import type { Candidate } from '#domain/routing/candidates.ts'
import { tokensFor } from './hold-for.ts'
import { statedTokensMax, usualTokensMax } from './output-tokens-max.ts'
import type { Ticket } from './types.ts'

/**
 * The output cap of one choice that the gateway sets if the client set none: as much as the wallet and limits can pay
 * for. Null if the model stops earlier, or the request is not billed here.
 */
export function toldCap({ plan, payable }: Ticket, candidate: Candidate): number | null {
  if (!plan.isOpenEnded || candidate.billing !== 'charged') return null
  const payableTokens = Math.floor(tokensFor(payable, plan.call, candidate) / plan.call.choiceCount)
  // Some upstreams reject a cap beyond the model's maximum, so the cap is sent only if needed.
  if (payableTokens >= (statedTokensMax(candidate) ?? usualTokensMax)) return null
  return Math.max(1, payableTokens)
}

/** Output tokens, over all choices, that an upstream does not exceed if it respects its cap and its own limits. */
export function cappedOutput(ticket: Ticket, candidate: Candidate): number {
  const most = toldCap(ticket, candidate) ?? statedTokensMax(candidate) ?? usualTokensMax
  return most * ticket.plan.call.choiceCount
}
