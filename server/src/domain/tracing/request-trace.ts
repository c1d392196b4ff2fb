import { sampledFlag, type TraceContext, traceParentOf } from './trace-context.ts'
import { Span, type SpanKind } from './span.ts'

interface RequestTraceStart {
  /** Of the span of the whole request. */
  readonly context: TraceContext
  readonly parentSpanId: string | null
  readonly name: string
  readonly nowMs: () => number
  readonly newSpanId: () => string
  readonly take: (span: Span) => void
}

/**
 * The trace of one request. It is `recorded` when it was sampled; otherwise it has no spans and only knows its ids, for
 * the log and for hosts that it is passed on to.
 */
export class RequestTrace {
  readonly #start: RequestTraceStart
  /** The span of the whole request; null where nothing is recorded. */
  readonly root: Span | null
  /** Under which attempts are; until the settle begins. */
  dispatch: Span | null = null
  /** The attempt that is under way, or the last one. */
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

  /** A span within another one, or within the whole request. */
  begin(name: string, kind: SpanKind = 'internal', parent: Span | null = this.root): Span {
    return this.#open(name, kind, this.#start.newSpanId(), parent?.start.spanId ?? null)
  }

  /** For a host that may know of this trace: its own spans belong under the attempt. */
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

/** A trace whose spans are kept. */
export type RecordedTrace = RequestTrace & { readonly root: Span }

export function isRecorded(trace: RequestTrace | null): trace is RecordedTrace {
  return trace !== null && trace.root !== null
}
