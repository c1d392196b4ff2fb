import { sampledFlag, type TraceContext, traceParentOf } from './trace-context.ts'
import { Span, type SpanKind } from './span.ts'

interface RequestTraceStart {
  /** The context of the request's root span. */
  readonly context: TraceContext
  readonly parentSpanId: string | null
  readonly name: string
  readonly nowMs: () => number
  readonly newSpanId: () => string
  readonly take: (span: Span) => void
}

/**
 * The trace of one request. It is `recorded` if it was sampled; otherwise it has no spans and only knows its ids, for
 * the log and for upstreams.
 */
export class RequestTrace {
  readonly #start: RequestTraceStart
  /** The root span of the request; null if it is not recorded. */
  readonly root: Span | null
  /** The parent span of attempts, until the settle begins. */
  dispatch: Span | null = null
  /** The current attempt, or the last one. */
  attempt: Span | null = null
  attempts = 0

  constructor(start: RequestTraceStart) {
    this.#start = start
    const { spanId, flags } = start.context
    this.root = (flags & sampledFlag) === 0 ? null : this.#open(start.name, 'server', spanId, start.parentSpanId)
  }

  get traceId(): string {
    return this.#start.context.traceId
  }

  /** Begins a span within another one, or within the request. */
  begin(name: string, kind: SpanKind = 'internal', parent: Span | null = this.root): Span {
    return this.#open(name, kind, this.#start.newSpanId(), parent?.start.spanId ?? null)
  }

  /** Headers for an upstream that may see this trace: its spans belong under the attempt. */
  headers(): Readonly<Record<string, string>> {
    const { context } = this.#start
    const spanId = this.attempt?.start.spanId ?? context.spanId
    const traceparent = traceParentOf({ ...context, spanId })
    return context.state === null ? { traceparent } : { traceparent, tracestate: context.state }
  }

  #open(name: string, kind: SpanKind, spanId: string, parentSpanId: string | null): Span {
    const { context, nowMs, take } = this.#start
    const isParentRemote = kind === 'server' && parentSpanId !== null
    return new Span({ ...context, spanId, parentSpanId, isParentRemote, name, kind, nowMs, take })
  }
}

/** A recorded trace. */
export type RecordedTrace = RequestTrace & { readonly root: Span }

export function isRecorded(trace: RequestTrace | null): trace is RecordedTrace {
  return trace !== null && trace.root !== null
}
