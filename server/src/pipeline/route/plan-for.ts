import type { DialectCall } from '#dialects/dialect.ts'
import { thinkingRoom } from '#dialects/thinking-room.ts'
import { reasonsUnseen } from '#domain/catalogue/reasons-unseen.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { HoldGrowth } from '#ports/money.ts'
import type { Plan } from '../types.ts'
import { estimateFor, holdFor } from '../hold-for.ts'
import { outputTokensMaxOf, usualTokensMax } from '../output-tokens-max.ts'

/** A plan for ordered candidates, with the amount to reserve for them. */
export function planFor(
  call: DialectCall,
  candidates: readonly Candidate[],
  rest: Pick<Plan, 'explanation' | 'conversation' | 'maxCost' | 'hedgeAfter'>,
): Plan {
  const charged = candidates.filter(({ billing }) => billing === 'charged')
  const isBilled = charged.length > 0
  const opening = openingTokens(call, candidates)
  const heldTokens = (call.media === undefined ? (cappedTokens(call) ?? opening) : 0) * call.choiceCount
  const amount = holdFor(charged, call, heldTokens)
  const growth = isBilled ? growthOf(call, charged, { amount, heldTokens }) : null
  // Clients with a high cap do not intend to use all of it, so they count in breakers like clients without a cap.
  const expected = Math.min(heldTokens, opening * call.choiceCount)
  return {
    call,
    candidates,
    heldTokens,
    amount,
    estimate: estimateFor(charged, call, expected),
    isOpenEnded: growth !== null,
    ...(growth === null ? {} : { growth }),
    isBilled,
    ...rest,
  }
}

const streamOpeningTokens = 1_024
const documentOpeningTokens = 4_096

/** The initial hold of a choice if the client set no cap. */
export function openingTokens(call: DialectCall, candidates: readonly Candidate[]): number {
  const usual = call.stream
    ? streamOpeningTokens
    : Math.min(documentOpeningTokens, mostTokens(candidates.map((candidate) => candidate.maxCompletionTokens)))
  return usual + thinkingRoom(call.body, usual)
}

function cappedTokens(call: DialectCall): number | null {
  return call.maxTokens === null ? null : call.maxTokens + thinkingRoom(call.body, call.maxTokens)
}

/**
 * Null if the client's cap determines the hold. Streamed text is visible as it arrives, and its hold grows ahead of it.
 * The length of a document, or of hidden reasoning, is known only at the end, so its hold must be large enough from the
 * start.
 */
function growthOf(
  call: DialectCall,
  charged: readonly Candidate[],
  { amount, heldTokens }: Pick<Plan, 'amount' | 'heldTokens'>,
): HoldGrowth | null {
  if (call.media !== undefined || call.maxTokens !== null) return null
  const most = mostTokens(charged.map((candidate) => outputTokensMaxOf(call, candidate)))
  const isSeen = call.stream && !charged.some(({ model, price }) => reasonsUnseen(model, price))
  const comfort = Math.min(most, documentOpeningTokens + thinkingRoom(call.body, documentOpeningTokens))
  // Most holds of documents are already comfortable.
  const holdOf = (tokens: number): NanoUsd => (tokens === heldTokens ? amount : holdFor(charged, call, tokens))
  return {
    wish: holdOf(most * call.choiceCount),
    comfort: isSeen ? null : holdOf(comfort * call.choiceCount),
  }
}

/** A model that states no maximum is assumed to produce at most `usualTokensMax`. */
function mostTokens(maxima: readonly (number | null)[]): number {
  return Math.max(...maxima.map((maximum) => Math.min(maximum ?? usualTokensMax, usualTokensMax)))
}
