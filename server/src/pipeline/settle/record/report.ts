import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { isUndercharged } from '#domain/money/is-undercharged.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { isRecorded } from '#domain/tracing/request-trace.ts'
import type { Exemplar } from '#lib/series.ts'
import type { SettledCharge } from '#ports/money.ts'
import type { Judged, Ticket } from '../../types.ts'
import { accountLabelOf, ownKeyLabel } from '../../account-label.ts'
import { modelOf } from './record.ts'

export interface ReportDeps {
  /** Null if the log level hides it: then the event is not even created. */
  log: ((event: Record<string, unknown>) => void) | null
  /** For events that an operator must investigate, at any log level. */
  alarm: (event: Record<string, unknown>, message: string) => void
  metrics: {
    generations: { inc(labels: { provider: string; account: string; outcome: string }): void }
    charged: { inc(amount: number): void }
    absorbed: { inc(nanoUsd: number): void }
    usageDoubted: { inc(labels: { provider: string; account: string }): void }
    undercharged: { inc(labels: { provider: string; account: string }): void }
    attempts: { inc(labels: { provider: string; account: string; outcome: string }): void }
    failovers: { inc(labels: { provider: string; account: string; reason: string }): void }
    tokens: { inc(labels: ServedLabels & { kind: string }, by: number): void }
    firstToken: { observe(labels: ServedLabels, seconds: number, exemplar?: Exemplar): void }
    duration: { observe(labels: ServedLabels, seconds: number, exemplar?: Exemplar): void }
  }
  nowMs: () => number
}

interface ServedLabels {
  readonly model: string
  readonly provider: string
  readonly account: string
}

/** Writes one wide event per finished request: everything an operator may ask about, no content, no secrets. */
export function createReport(deps: ReportDeps): (ticket: Ticket, judged: Judged, settled: SettledCharge) => void {
  return (ticket, judged, { cost, absorbed }) => {
    const { arrival, principal, plan } = ticket
    const { outcome, refundReason } = judged
    const provider = outcome.candidate?.account.vendor ?? 'none'
    const durationMs = deps.nowMs() - arrival.receivedAtMs
    const account = accountLabelOf(outcome.candidate)
    deps.metrics.generations.inc({ provider, account, outcome: refundReason ?? 'answered' })
    if (cost > 0n) deps.metrics.charged.inc(Number(cost) / 1e9)
    if (absorbed > 0n) deps.metrics.absorbed.inc(Number(absorbed))
    if (judged.usageDoubted) alarmOf(deps, ticket, judged, provider)
    if (isBelowBill(judged, nanoUsd(cost + absorbed))) deps.metrics.undercharged.inc({ provider, account })
    const model = modelOf(ticket, outcome.candidate).id
    const exemplar = exemplarOf(arrival, arrival.receivedAtMs + durationMs)
    const labels = { model, provider, account }
    countServed(deps.metrics, ticket, judged, { labels, exemplar })
    deps.metrics.duration.observe(labels, durationMs / 1_000, exemplar)
    deps.log?.({
      generation: publicGenerationId(arrival.generationId),
      requestId: arrival.replyHeaders['x-request-id'],
      traceId: arrival.trace?.traceId,
      endpoint: arrival.dialect.name,
      model,
      provider,
      account: outcome.candidate?.account.name ?? null,
      keyId: principal.keyId,
      walletId: principal.walletId,
      streamed: plan.call.stream,
      cancelled: outcome.cancelled,
      upstreamStatus: outcome.status,
      finishReason: outcome.answer?.finishReason ?? null,
      refundReason,
      costUsd: formatUsd(cost),
      absorbedUsd: absorbed > 0n ? formatUsd(absorbed) : undefined,
      heldUsd: formatUsd(ticket.heldAmount),
      firstTokenMs: ticket.firstTokenAtMs === null ? null : ticket.firstTokenAtMs - arrival.receivedAtMs,
      durationMs,
      attempts: ticket.attempts,
      error: outcome.kind === 'refunded' ? (outcome.error?.errorName ?? null) : null,
      inside: outcome.kind === 'refunded' ? (outcome.error?.inside ?? null) : null,
    })
  }
}

/**
 * Whether the provider states a higher cost than the charge. Only answers charged by the price list can show a fault in
 * the list.
 */
function isBelowBill({ outcome, refundReason }: Judged, cost: NanoUsd): boolean {
  return refundReason === null && isUndercharged(outcome.answer?.usage?.upstreamNano, cost)
}

/** The trace behind a measurement. Only a recorded trace can be looked up. */
function exemplarOf({ trace }: Ticket['arrival'], atMs: number): Exemplar | undefined {
  return isRecorded(trace) ? { traceId: trace.traceId, atMs } : undefined
}

function countServed(
  metrics: ReportDeps['metrics'],
  ticket: Ticket,
  { outcome }: Judged,
  { labels, exemplar }: { labels: ServedLabels; exemplar: Exemplar | undefined },
): void {
  const { attempts, firstTokenAtMs, arrival, plan } = ticket
  attempts.forEach(({ provider, account = '', outcome: end, ownKey }, position) => {
    const label = ownKey === true ? ownKeyLabel : account
    metrics.attempts.inc({ provider, account: label, outcome: end })
    // A slower attempt of a hedged request has not failed.
    if (position < attempts.length - 1 && end !== 'hedge_lost')
      metrics.failovers.inc({ provider, account: label, reason: end })
  })
  // A document arrives at once, including its first token.
  if (plan.call.stream && firstTokenAtMs !== null) {
    metrics.firstToken.observe(labels, (firstTokenAtMs - arrival.receivedAtMs) / 1_000, exemplar)
  }
  const usage = outcome.answer?.usage ?? null
  if (usage === null) return
  const { prompt, completion } = tokenTotals(usage)
  metrics.tokens.inc({ ...labels, kind: 'prompt' }, prompt)
  metrics.tokens.inc({ ...labels, kind: 'completion' }, completion)
  if (usage.cacheRead > 0) metrics.tokens.inc({ ...labels, kind: 'cached' }, usage.cacheRead)
}

/** An upstream that reports impossible usage also bills the operator for it. */
function alarmOf(deps: ReportDeps, ticket: Ticket, { outcome }: Judged, provider: string): void {
  deps.metrics.usageDoubted.inc({ provider, account: accountLabelOf(outcome.candidate) })
  const usage = outcome.answer?.usage ?? null
  const event = {
    generation: publicGenerationId(ticket.arrival.generationId),
    model: modelOf(ticket, outcome.candidate).id,
    provider,
    account: outcome.candidate?.account.name ?? null,
    tokens: usage === null ? null : tokenTotals(usage),
    heldUsd: formatUsd(ticket.heldAmount),
  }
  deps.alarm(
    event,
    'an upstream reported more tokens than the request can have used; the gateway charged the hold and the delivered output',
  )
}
