import type { DialectCall } from '#dialects/dialect.ts'
import { thinkingRoom } from '#dialects/thinking-room.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { holdFor, tokensFor } from '../hold-for.ts'
import { statedTokensMax, usualTokensMax } from '../output-tokens-max.ts'
import type { Plan } from '../types.ts'
import { openingTokens, planFor } from './plan-for.ts'

/**
 * A plan that costs no more than its client allows. Candidates that are too expensive are skipped, and if no candidate
 * can create the whole output for this amount, the output is capped. The hold never exceeds the amount.
 */
export function withinMaxCost(plan: Plan): Plan {
  const { maxCost, call, explanation, conversation, hedgeAfter } = plan
  if (maxCost === undefined || !plan.isBilled) return plan
  const { candidates, maxTokens } = call.media === undefined ? wordsFor(plan, maxCost) : mediaFor(plan, maxCost)
  if (candidates.length === 0) throw tooLow(plan, maxCost)
  if (candidates.length === plan.candidates.length && maxTokens === call.maxTokens) return plan
  const excluded = plan.candidates.filter((candidate) => !candidates.includes(candidate)).map(asExcluded)
  const left = { ...explanation, excluded: [...explanation.excluded, ...excluded] }
  const replanned = planFor({ ...call, maxTokens }, candidates, {
    explanation: left,
    conversation,
    maxCost,
    ...(hedgeAfter === undefined ? {} : { hedgeAfter }),
  })
  assert(replanned.amount <= maxCost, 'a capped call costs at most what its client allows')
  return plan.freeAsks === undefined ? replanned : { ...replanned, freeAsks: plan.freeAsks }
}

interface Affordable {
  readonly candidates: readonly Candidate[]
  /** The cap of each choice. */
  readonly maxTokens: number | null
}

function mediaFor({ candidates, call }: Plan, maxCost: NanoUsd): Affordable {
  const affordable = candidates.filter((candidate) => holdFor([candidate], call, 0) <= maxCost)
  return { candidates: affordable, maxTokens: call.maxTokens }
}

/**
 * Prefers candidates that can create what the client asked for. If there are none, the first one that can begin
 * determines the cap, and those that cannot create as much are skipped.
 */
function wordsFor({ candidates, call }: Plan, maxCost: NanoUsd): Affordable {
  const offers = candidates.map((candidate) => ({ candidate, most: mostTokensFor(candidate, call, maxCost) }))
  const charged = offers.filter(({ candidate }) => candidate.billing === 'charged')
  const wanted = call.maxTokens ?? openingTokens(call, candidates)
  const first = charged.find(({ most }) => most >= wanted) ?? charged.find(({ most }) => most > 0)
  const least = first === undefined ? Number.POSITIVE_INFINITY : Math.min(first.most, wanted)
  const kept = offers.filter(({ most }) => most >= least)
  const cap = Math.min(...kept.map(({ most }) => most))
  return { candidates: kept.map(({ candidate }) => candidate), maxTokens: capped(call, kept, cap) }
}

/** The client's cap, unless it costs more. A call without a cap needs none if its models stop before. */
function capped(call: DialectCall, kept: readonly { candidate: Candidate }[], cap: number): number | null {
  if (call.maxTokens !== null) return Math.min(call.maxTokens, cap)
  const opening = openingTokens(
    call,
    kept.map(({ candidate }) => candidate),
  )
  // Some upstreams reject a cap beyond the model's maximum.
  const longest = Math.max(...kept.map(({ candidate }) => statedTokensMax(candidate) ?? usualTokensMax))
  return cap >= Math.max(opening, longest) ? null : cap
}

/** The longest output of a choice, up to the client's cap. Zero if not even its thinking can be paid for. */
function mostTokensFor(candidate: Candidate, { body, ...call }: DialectCall, maxCost: NanoUsd): number {
  if (candidate.billing !== 'charged') return Number.POSITIVE_INFINITY
  const { maxTokens, choiceCount } = call
  const affordable = Math.floor(tokensFor(maxCost, { body, ...call }, candidate) / choiceCount)
  const room = maxTokens === null ? 0 : thinkingRoom(body, maxTokens)
  if (maxTokens !== null && maxTokens + room <= affordable) return maxTokens
  // A lower cap would leave no room for the answer after the thinking.
  return room > 0 || thinkingRoom(body, affordable) > 0 ? 0 : affordable
}

function asExcluded({ model, account }: Candidate): Excluded {
  return { model: model.id, provider: account.vendor, rule: 'max_cost' }
}

/** The shortest output of a choice, after its thinking. */
function leastTokens({ body, maxTokens }: DialectCall): number {
  const room = maxTokens === null ? 0 : thinkingRoom(body, maxTokens)
  return maxTokens !== null && room > 0 ? maxTokens + room : 1 + thinkingRoom(body, 1)
}

function tooLow({ candidates, call }: Plan, maxCost: NanoUsd): GatewayError {
  const tokens = leastTokens(call) * call.choiceCount
  const costs = candidates.map((candidate) => holdFor([candidate], call, tokens))
  const least = costs.reduce((one, other) => (other < one ? other : one))
  return new GatewayError('maxCostTooLow', {
    message: `No provider can serve this request for at most $${formatUsd(maxCost)}: even the shortest response can cost $${formatUsd(least)}.`,
  })
}
