import type { Span } from '#domain/tracing/span.ts'
import { errorText } from '#lib/error-text.ts'
import type { FaultWatch } from '#lib/fault-watch.ts'
import type { Timer, Timers } from '#lib/timers.ts'
import type { PostedSpans } from '../events/post-spans.ts'

/** Why spans never reached the collector. */
type DropReason =
  /** The queue was full: the collector is unavailable, or slower than the requests. */
  | 'queue_full'
  /** The collector permanently rejected the batch, or some of its spans. */
  | 'refused'
  /** The spans were still queued when the process stopped. */
  | 'stopped'

export interface SpanExporterOptions {
  readonly encode: (spans: readonly Span[]) => string
  readonly post: (body: string) => Promise<PostedSpans>
  readonly timers: Timers
  readonly fault: FaultWatch
  readonly onSent: (count: number) => void
  readonly onDropped: (count: number, reason: DropReason) => void
  readonly limits?: Partial<ExportLimits>
}

export interface ExportLimits {
  /** Maximum queued spans; about 6 MB of memory. */
  readonly queueMax: number
  readonly batchMax: number
  /** How long the first span of a batch waits for more spans. */
  readonly everyMs: number
  /** Pause after the first failure. Each further pause is twice as long, up to the maximum. */
  readonly pauseMinMs: number
  readonly pauseMaxMs: number
  /** Time limit for sending the queued spans when the process stops. */
  readonly flushMs: number
}

const usual: ExportLimits = {
  queueMax: 8_192,
  batchMax: 512,
  everyMs: 1_000,
  pauseMinMs: 1_000,
  pauseMaxMs: 30_000,
  flushMs: 3_000,
}

interface SpanExporter {
  /** Never waits and never fails. */
  take(span: Span): void
  /** Sends the queued spans, within a time limit. */
  close(): Promise<void>
}

/**
 * Sends spans in batches, one at a time. It is `idle` without spans, `collecting` until a batch is full or its first
 * span has waited long enough, `sending`, and `pausing` after a failure. A batch stays in the queue until the collector
 * has responded. While the collector is unavailable the queue fills up, and further spans are dropped and counted.
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { encode, post, timers, fault, onSent, onDropped } = options
  const limits = { ...usual, ...options.limits }
  const queue: Span[] = []
  let state: 'idle' | 'collecting' | 'sending' | 'pausing' | 'closed' = 'idle'
  let timer: Timer | null = null
  let sending: Promise<unknown> = Promise.resolve()
  let pauseMs = limits.pauseMinMs

  function sendAfter(ms: number): void {
    timer?.cancel()
    timer = timers.after(ms, () => {
      state = 'sending'
      sending = sendBatch().then(goOn)
    })
    timer.unref()
  }

  function goOn(waitMs: number): void {
    if (state === 'closed') return
    state = waitMs > 0 ? 'pausing' : queue.length > 0 ? 'collecting' : 'idle'
    if (state === 'idle') return
    sendAfter(waitMs > 0 ? waitMs : queue.length < limits.batchMax ? limits.everyMs : 0)
  }

  /** Resolves to the pause that the collector asks for, or zero if its response is final. */
  async function sendBatch(): Promise<number> {
    const batch = queue.slice(0, limits.batchMax)
    const outcome = await post(encode(batch)).catch(awayOf)
    if (outcome.kind === 'busy') {
      fault.failed(outcome.why)
      const waitMs = Math.min(outcome.afterMs ?? pauseMs, limits.pauseMaxMs)
      pauseMs = Math.min(pauseMs * 2, limits.pauseMaxMs)
      return Math.max(1, waitMs)
    }
    queue.splice(0, batch.length)
    pauseMs = limits.pauseMinMs
    const dropped = outcome.kind === 'taken' ? Math.min(outcome.rejected, batch.length) : batch.length
    const complaint = outcome.kind === 'taken' ? outcome.remark : outcome.why
    if (dropped > 0) onDropped(dropped, 'refused')
    if (batch.length > dropped) onSent(batch.length - dropped)
    if (complaint === undefined) fault.succeeded()
    else fault.failed(complaint)
    return 0
  }

  async function flush(): Promise<void> {
    await sending
    while (queue.length > 0) if ((await sendBatch()) > 0) return
  }

  return {
    take: (span) => {
      if (queue.length >= limits.queueMax || state === 'closed') return onDropped(1, 'queue_full')
      queue.push(span)
      if (state === 'idle') {
        state = 'collecting'
        sendAfter(limits.everyMs)
      } else if (state === 'collecting' && queue.length === limits.batchMax) sendAfter(0)
    },
    close: async () => {
      state = 'closed'
      timer?.cancel()
      await within(limits.flushMs, flush(), timers)
      if (queue.length > 0) onDropped(queue.length, 'stopped')
      queue.length = 0
    },
  }
}

async function within(ms: number, work: Promise<void>, timers: Timers): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const limit = timers.after(ms, resolve)
  await Promise.race([work, late])
  limit.cancel()
}

function awayOf(error: unknown): PostedSpans & { kind: 'busy' } {
  return { kind: 'busy', why: errorText(error), rejected: 0 }
}
