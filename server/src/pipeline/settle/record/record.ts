import type { Model } from '#domain/catalogue/model.ts'
import { completionTokensOf, noUsage } from '#domain/inference/usage.ts'
import { attributedIds } from '#domain/ledger/attributed-ids.ts'
import { endUserOf } from '#domain/ledger/end-user.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { providerCostOf } from '#domain/ledger/provider-cost-of.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RoutingExplanation } from '#domain/routing/explanation.ts'
import { assert } from '#lib/assert.ts'
import type { Judged, Ticket } from '../../types.ts'

export type NoteSample = (sample: AttemptSample) => void

/** Creates the record of a request that ends now, and measures its upstream. */
export function createRecord({
  note,
  nowMs,
}: {
  readonly note: NoteSample
  readonly nowMs: () => number
}): (ticket: Ticket, judged: Judged) => GenerationRecord {
  return (ticket, judged) => {
    const settledAtMs = nowMs()
    const sample = sampleOf(ticket, judged, settledAtMs)
    if (sample !== null) note(sample)
    return recordOf(ticket, judged, settledAtMs)
  }
}

/** The record of a finished request, written in the settle's own transaction. */
export function recordOf(ticket: Ticket, judged: Judged, nowMs: number): GenerationRecord {
  const { arrival, principal, plan } = ticket
  const { outcome, charge } = judged
  const { candidate, answer } = outcome
  return {
    id: arrival.generationId,
    walletId: principal.walletId,
    keyId: principal.keyId,
    userId: principal.userId,
    organizationId: principal.organizationId,
    memberId: principal.memberId,
    teamId: principal.teamId,
    sessionId: principal.institutionSession?.id ?? null,
    ...attributedIds(principal),
    appName: arrival.appName,
    ...endUserOf(arrival.dialect.name, plan.call.body),
    endpoint: arrival.dialect.name,
    model: modelOf(ticket, candidate).id,
    provider: candidate?.account.vendor ?? null,
    upstreamModel: candidate?.upstreamModel ?? null,
    upstreamStatus: outcome.status,
    finishReason: answer?.finishReason ?? null,
    nativeFinishReason: answer?.nativeFinishReason ?? null,
    streamed: plan.call.stream,
    cancelled: outcome.cancelled,
    isByok: candidate?.billing === 'own_key',
    isFailover: isFailover(ticket, candidate),
    startedAtMs: arrival.receivedAtMs,
    firstTokenMs: ticket.firstTokenAtMs === null ? null : ticket.firstTokenAtMs - arrival.receivedAtMs,
    durationMs: Math.max(0, nowMs - arrival.receivedAtMs),
    usage: answer?.usage ?? noUsage,
    held: ticket.heldAmount,
    cost: charge.cost,
    absorbed: judged.absorbed,
    usageDoubted: judged.usageDoubted,
    ...purchased(judged, arrival.receivedAtMs),
    cacheDiscount: charge.cacheDiscount,
    ...keptFrom(arrival, candidate),
    priceId: charge.cost + judged.absorbed > 0n && candidate !== null ? candidate.price.id : null,
    refundReason: judged.refundReason,
    attempts: ticket.attempts,
    routing: explanationOf(ticket),
  }
}

function keptFrom({ cached }: Ticket['arrival'], candidate: Candidate | null): Pick<GenerationRecord, 'cached'> {
  return cached === undefined ? nothing : { cached: { from: cached.from, percent: candidate?.hitPricePercent ?? 0 } }
}

/** What the provider bills the operator, if it differs from the charge. */
function purchased(
  { outcome, charge, absorbed, refundReason, usageDoubted }: Judged,
  receivedAtMs: number,
): Pick<GenerationRecord, 'providerCost'> {
  const { candidate, answer } = outcome
  if (candidate === null || answer === null) return nothing
  const { billing, price, purchase } = candidate
  const isRefunded = refundReason !== null
  const { cost } = charge
  const bought = {
    billing,
    price,
    purchase,
    usage: answer.usage,
    cost,
    absorbed,
    isRefunded,
    usageDoubted,
    receivedAtMs,
  }
  const providerCost = providerCostOf(bought)
  return providerCost === undefined ? nothing : { providerCost }
}

const nothing = {}

/**
 * Whether a candidate other than the first in the plan answered. The first may have failed, or the gateway may have
 * skipped it because its circuit is open: both are failovers.
 */
function isFailover({ plan }: Ticket, candidate: Candidate | null): boolean {
  const [first] = plan.candidates
  if (first === undefined || candidate === null) return false
  if ((first.billing === 'own_key') !== (candidate.billing === 'own_key')) return true
  return first.account.vendor !== candidate.account.vendor || first.model.id !== candidate.model.id
}

/** Null if there was only one candidate, because then there is nothing to explain. */
function explanationOf({ plan, skipped }: Ticket): RoutingExplanation | null {
  const { candidates, excluded, autoTier } = plan.explanation
  if (candidates.length < 2 && excluded.length + skipped.length === 0 && autoTier === null) return null
  return { candidates, excluded: [...excluded, ...skipped], autoTier }
}

/** The model of a request that no upstream served: the one that would have been tried first. */
export function modelOf({ plan }: Ticket, candidate: Candidate | null): Model {
  const [first] = plan.candidates
  const model = candidate?.model ?? first?.model
  assert(model !== undefined, 'a plan has a candidate')
  return model
}

interface AttemptSample {
  readonly vendor: string
  readonly model: string
  /** Time to the first token; only for streams. */
  readonly latencyMs: number | null
  /** Over the whole attempt, so that streamed and whole responses are comparable. */
  readonly tokensPerSecond: number | null
  /** Time to a whole answer; only if the request asked for a hedge. */
  readonly wholeMs?: number
}

/**
 * What a response tells about its upstream, or null if nothing. Only the platform's own accounts are measured: an
 * organization's own keys may lead to other servers.
 */
export function sampleOf(ticket: Ticket, { outcome }: Judged, nowMs: number): AttemptSample | null {
  const { candidate } = outcome
  const attempt = ticket.attempts.at(-1)
  if (candidate === null || attempt?.outcome !== 'answered' || ticket.firstTokenAtMs === null) return null
  if (candidate.billing !== 'charged' && candidate.billing !== 'free') return null
  // A streamed attempt is recorded when it opens, a document when it is complete.
  const streamed = ticket.plan.call.stream
  const totalMs = streamed ? attempt.durationMs + (nowMs - ticket.firstTokenAtMs) : attempt.durationMs
  const usage = outcome.kind === 'answered' ? outcome.answer.usage : null
  const tokens = usage === null ? 0 : completionTokensOf(usage)
  return {
    vendor: candidate.account.vendor,
    model: candidate.model.id,
    latencyMs: streamed ? attempt.durationMs : null,
    tokensPerSecond: tokens > 0 ? (tokens * 1_000) / Math.max(1, totalMs) : null,
    ...(streamed || ticket.plan.hedgeAfter === undefined ? nothing : { wholeMs: totalMs }),
  }
}
