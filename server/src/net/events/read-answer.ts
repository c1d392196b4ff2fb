import type { SendOutcome } from '#ports/event-sinks.ts'
import type { BatchAnswer } from './post-batch.ts'

// Transient rejections.
const passing = new Set([408, 425, 429])

/** The meaning of a status for a batch. A redirect is not followed, so it is a rejection. */
export function readAnswer(answer: BatchAnswer, detail: string | null, nowMs: number): SendOutcome {
  const { status } = answer
  if (status >= 200 && status <= 299) return { kind: 'taken' }
  const why = `returned ${status}${detail === null ? '' : `: ${detail}`}`
  if (status < 500 && !passing.has(status)) return { kind: 'refused', why }
  const afterMs = readRetryAfter(answer.retryAfter, nowMs)
  return { kind: 'busy', why, ...(afterMs === null ? {} : { afterMs }) }
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
