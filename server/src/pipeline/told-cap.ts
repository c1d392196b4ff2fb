import type { Candidate } from '#domain/routing/candidates.ts'
import { tokensFor } from './hold-for.ts'
import { statedTokensMax, usualTokensMax } from './output-tokens-max.ts'
import type { Ticket } from './types.ts'

/**
 * The output cap of one choice that the gateway sets where the client set none: what wallet and limits can pay for.
 * Null where the model itself stops before that, or the request is not billed here.
 */
export function toldCap({ plan, payable }: Ticket, candidate: Candidate): number | null {
  if (!plan.isOpenEnded || candidate.billing !== 'charged') return null
  const payableTokens = Math.floor(tokensFor(payable, plan.call, candidate) / plan.call.choiceCount)
  // Some hosts refuse a cap beyond what the model can make, so nothing is said where nothing needs to be.
  if (payableTokens >= (statedTokensMax(candidate) ?? usualTokensMax)) return null
  return Math.max(1, payableTokens)
}

/**
 * Output tokens, of all choices together, that an upstream will not exceed if it keeps to what it was told and can do.
 */
export function cappedOutput(ticket: Ticket, candidate: Candidate): number {
  const most = toldCap(ticket, candidate) ?? statedTokensMax(candidate) ?? usualTokensMax
  return most * ticket.plan.call.choiceCount
}
