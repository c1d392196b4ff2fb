import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { Judged, Ticket } from '../types.ts'
import { modelOf } from './record.ts'

export interface ReportNeeds {
  /** Null when nobody reads the log: the event is not even made then. */
  log: ((event: Record<string, unknown>) => void) | null
  metrics: {
    generations: { inc(labels: { provider: string; outcome: string }): void }
    charged: { inc(amount: number): void }
    duration: { observe(seconds: number): void }
  }
  nowMs: () => number
}

/** One wide event for each finished request: everything an operator may ask about, no content, no secrets. */
export function createReport(needs: ReportNeeds): (ticket: Ticket, judged: Judged, cost: NanoUsd) => void {
  return (ticket, judged, cost) => {
    const { arrival, principal, plan } = ticket
    const { outcome, refundReason } = judged
    const provider = outcome.candidate?.account.vendor ?? 'none'
    const durationMs = needs.nowMs() - arrival.receivedAtMs
    needs.metrics.generations.inc({ provider, outcome: refundReason ?? 'answered' })
    if (cost > 0n) needs.metrics.charged.inc(Number(cost) / 1e9)
    needs.metrics.duration.observe(durationMs / 1_000)
    needs.log?.({
      generation: publicGenerationId(arrival.generationId),
      requestId: arrival.replyHeaders['x-request-id'],
      endpoint: arrival.dialect.name,
      model: modelOf(ticket, outcome.candidate).id,
      provider,
      keyId: principal.keyId,
      walletId: principal.walletId,
      streamed: plan.call.stream,
      cancelled: outcome.cancelled,
      upstreamStatus: outcome.status,
      finishReason: outcome.answer?.finishReason ?? null,
      refundReason,
      costUsd: formatUsd(cost),
      heldUsd: formatUsd(ticket.heldAmount),
      firstTokenMs: ticket.firstTokenAtMs === null ? null : ticket.firstTokenAtMs - arrival.receivedAtMs,
      durationMs,
      attempts: ticket.attempts,
      error: outcome.kind === 'refunded' ? (outcome.error?.errorName ?? null) : null,
      inside: outcome.kind === 'refunded' ? (outcome.error?.inside ?? null) : null,
    })
  }
}
