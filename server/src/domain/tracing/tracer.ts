import { RequestTrace } from './request-trace.ts'
import { createSampleTrace } from './sample-trace.ts'
import type { Span } from './span.ts'
import { parseTraceContext, randomFlag, sampledFlag } from './trace-context.ts'

interface TracerDeps {
  /** The share of traces to record, among those that begin here. */
  readonly sampleRatio: number
  /** Whether a client's `traceparent` is followed; otherwise every trace begins here. */
  readonly trustParents: boolean
  /** Wall-clock time. */
  readonly nowMs: () => number
  /** Monotonic time with fractions. */
  readonly elapsedMs: () => number
  readonly newSpanId: () => string
  /** Receives ended spans. */
  readonly take: (span: Span) => void
}

interface TracedRequest {
  /** 32 hexadecimal digits with a random end; the trace id if the trace begins here. */
  readonly id: string
  readonly name: string
  readonly traceParent: unknown
  readonly traceState: unknown
}

export interface Tracer {
  begin(request: TracedRequest): RequestTrace
}

/** Begins the traces of requests. A parent's sampling decision is followed; otherwise the ratio decides. */
export function createTracer(deps: TracerDeps): Tracer {
  const { nowMs, elapsedMs, newSpanId, take } = deps
  const isSampled = createSampleTrace(deps.sampleRatio)
  return {
    begin: ({ id, name, traceParent, traceState }) => {
      const parent = deps.trustParents ? parseTraceContext(traceParent, traceState) : null
      const spanId = newSpanId()
      const context =
        parent === null
          ? { traceId: id, spanId, flags: randomFlag | (isSampled(id) ? sampledFlag : 0), state: null }
          : { ...parent, spanId }
      return new RequestTrace({
        context,
        parentSpanId: parent?.spanId ?? null,
        name,
        nowMs: clockFrom(nowMs(), elapsedMs),
        newSpanId,
        take,
      })
    },
  }
}

/** The wall clock is read once, so that a clock change cannot reverse a span. */
function clockFrom(startMs: number, elapsedMs: () => number): () => number {
  const beganMs = elapsedMs()
  return () => startMs + (elapsedMs() - beganMs)
}
