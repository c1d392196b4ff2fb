import {
  citationTokensBelieved,
  isBelievable,
  readTokensMax,
  searchesBelieved,
  type TokenBounds,
} from '#domain/inference/is-believable.ts'
import { usageWithin } from '#domain/inference/usage-within.ts'
import { promptTokensOf, type Usage } from '#domain/inference/usage.ts'
import { judgeCharge } from '#domain/ledger/judge-charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { promptSizeFor } from '#dialects/choose-trim.ts'
import { statedTokensMax } from '../output-tokens-max.ts'
import type { Judged, Ticket } from '../types.ts'
import { tokenBoundsOf } from './token-bounds-of.ts'

/**
 * A report of more usage than the request can have caused, with the amount to charge and the amount that the operator
 * may be billed.
 */
export interface DoubtedUsage {
  /** The amount to charge: the prompt, plus output up to the larger of the client's cap and the delivered tokens. */
  readonly delivered: NanoUsd
  /** The cost if the model had read and written its maximum, regardless of the cap. */
  readonly possible: NanoUsd
}

/** Null if the report is plausible. */
export function findDoubt(ticket: Ticket, { outcome }: Judged): DoubtedUsage | null {
  if (outcome.kind !== 'answered') return null
  const { candidate, deliveredTokens } = outcome
  const { usage } = outcome.answer
  const bounds = usage === null ? null : tokenBoundsOf(ticket, candidate)
  if (usage === null || bounds === null || isBelievable(usage, bounds)) return null
  const costOf = (part: Usage): NanoUsd => judgeCharge({ ...candidate, usage: part }).charge.cost
  return {
    delivered: costOf(deliveredUsage(usage, ticket, candidate, { ...bounds, seen: deliveredTokens?.() ?? 0 })),
    possible: costOf(possibleUsage(usage, candidate, bounds)),
  }
}

function deliveredUsage(
  usage: Usage,
  { plan }: Ticket,
  { model }: Candidate,
  bounds: TokenBounds & { seen: number },
): Usage {
  const { outputTokensMax, searchesTold, seen } = bounds
  const readMax = readTokensMax(bounds)
  return usageWithin(usage, {
    // No prompt is longer than the context, so a higher count says nothing about this prompt.
    promptTokens: promptTokensOf(usage) <= readMax ? readMax : promptSizeFor(plan.call, model.id).promptTokensHeld,
    outputTokens: Math.max(outputTokensMax, seen),
    imageTokens: readMax,
    webSearches: searchesTold ?? searchesBelieved,
    citationTokens: citationTokensBelieved,
  })
}

function possibleUsage(usage: Usage, candidate: Candidate, bounds: TokenBounds): Usage {
  const { contextLength, choiceCount } = bounds
  const readMax = readTokensMax(bounds)
  return usageWithin(usage, {
    promptTokens: readMax,
    outputTokens: (statedTokensMax(candidate) ?? contextLength) * choiceCount,
    imageTokens: readMax,
    webSearches: searchesBelieved,
    citationTokens: citationTokensBelieved,
  })
}
