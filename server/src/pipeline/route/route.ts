import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { worstCharge } from '#domain/money/charge.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type Candidate, type Candidates, findCandidates } from '#domain/routing/candidates.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { testCandidate } from '#domain/test-models/test-candidate.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Plan } from '../types.ts'

export type RouteStage = (model: Model, call: DialectCall) => Plan

/** Orders the candidates and sizes the hold for the dearest of them. No I/O: routes are a snapshot in memory. */
export function createRoute(deps: { routing: () => RoutingTable }): RouteStage {
  return (model, call) => {
    const isTest = model.author === 'test'
    const candidates: Candidates = isTest
      ? { ordered: [testCandidate(model)], unpriced: 0 }
      : findCandidates(model, deps.routing())
    if (candidates.ordered.length === 0) throw noCandidate(model, candidates)
    const heldTokens = openingTokens(call, candidates.ordered)
    const isBilled = !isTest && !isFreeEntry(model)
    return {
      model,
      call,
      candidates: candidates.ordered,
      heldTokens,
      amount: isBilled ? holdFor(candidates.ordered, call.promptTokensEstimate, heldTokens) : zeroUsd,
      isOpenEnded: isBilled && call.stream && call.maxTokens === null,
      isBilled,
    }
  }
}

/** What to reserve so that whichever candidate answers, its charge is covered. */
export function holdFor(candidates: readonly Candidate[], promptTokens: number, outputTokens: number): NanoUsd {
  let dearest = zeroUsd
  for (const candidate of candidates) {
    const amount = worstCharge({ prompt: promptTokens, completion: outputTokens }, candidate.price)
    if (amount > dearest) dearest = amount
  }
  return dearest
}

const streamOpeningTokens = 1_024
const documentTokensMax = 4_096

function openingTokens(call: DialectCall, candidates: readonly Candidate[]): number {
  if (call.maxTokens !== null) return call.maxTokens * call.choiceCount
  if (call.stream) return streamOpeningTokens * call.choiceCount
  const modelMax = Math.max(...candidates.map((candidate) => candidate.maxCompletionTokens ?? documentTokensMax))
  return Math.min(modelMax, documentTokensMax) * call.choiceCount
}

function noCandidate(model: Model, candidates: Candidates): GatewayError {
  if (candidates.unpriced > 0 || (model.price === null && model.offers.every((offer) => offer.price === null))) {
    return new GatewayError('modelNotPriced', { message: `"${model.id}" has no price yet and can not be called.` })
  }
  return new GatewayError('noUpstream', {
    message: `No upstream is configured for "${model.id}".`,
    inside: 'no provider account or route serves this model; add one with `weir provider add`',
  })
}
