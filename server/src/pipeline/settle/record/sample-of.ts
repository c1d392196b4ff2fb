import { completionTokensOf } from '#domain/inference/usage.ts'
import type { Judged, Ticket } from '../../types.ts'

export interface AttemptSample {
  readonly vendor: string
  readonly model: string
  /** Until the first token; only streams show it. */
  readonly latencyMs: number | null
  /** Over the whole attempt, so that answers that stream and those that do not compare. */
  readonly tokensPerSecond: number | null
}

/**
 * What an answer tells about the host that gave it; null where it tells nothing. Only the platform's own hosts are measured:
 * an organization's own keys go elsewhere.
 */
export function sampleOf(ticket: Ticket, { outcome }: Judged, nowMs: number): AttemptSample | null {
  const { candidate } = outcome
  const attempt = ticket.attempts.at(-1)
  if (candidate === null || attempt?.outcome !== 'answered' || ticket.firstTokenAtMs === null) return null
  if (candidate.billing !== 'charged' && candidate.billing !== 'free') return null
  // An attempt of a stream is noted when it opens, that of a document when it is complete.
  const streamed = ticket.plan.call.stream
  const totalMs = streamed ? attempt.durationMs + (nowMs - ticket.firstTokenAtMs) : attempt.durationMs
  const usage = outcome.kind === 'answered' ? outcome.answer.usage : null
  const tokens = usage === null ? 0 : completionTokensOf(usage)
  return {
    vendor: candidate.account.vendor,
    model: candidate.model.id,
    latencyMs: streamed ? attempt.durationMs : null,
    tokensPerSecond: tokens > 0 ? (tokens * 1_000) / Math.max(1, totalMs) : null,
  }
}
