import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { Judged, Ticket } from '../types.ts'

/** What is kept of a finished request; it travels in the settle's own transaction. */
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
    appName: arrival.appName,
    endpoint: arrival.dialect.name,
    model: plan.model.id,
    provider: candidate?.account.vendor ?? null,
    upstreamModel: candidate?.upstreamModel ?? null,
    upstreamStatus: outcome.status,
    finishReason: answer?.finishReason ?? null,
    nativeFinishReason: answer?.nativeFinishReason ?? null,
    streamed: plan.call.stream,
    cancelled: outcome.cancelled,
    isByok: false,
    isFailover: ticket.attempts.length > 1,
    startedAtMs: arrival.receivedAtMs,
    firstTokenMs: ticket.firstTokenAtMs === null ? null : ticket.firstTokenAtMs - arrival.receivedAtMs,
    durationMs: Math.max(0, nowMs - arrival.receivedAtMs),
    usage: answer?.usage ?? noUsage,
    held: ticket.heldAmount,
    cost: charge.cost,
    cacheDiscount: charge.cacheDiscount,
    priceId: charge.cost > 0n && candidate !== null ? candidate.price.id : null,
    refundReason: judged.refundReason,
    attempts: ticket.attempts,
  }
}
