import type { OtelPlain } from '#domain/events/otel-attributes.ts'
import type { AttributeName } from '#domain/events/otel-names.ts'
import type { TraceContext } from './trace-context.ts'

/** OTLP's span kinds: internal work, an incoming request, an outgoing request. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof spanKinds

export interface SpanEvent {
  readonly name: string
  readonly atMs: number
}

/** The initial data of a span. */
interface SpanStart extends TraceContext {
  readonly parentSpanId: string | null
  /** Whether the parent belongs to another system. */
  readonly isParentRemote: boolean
  readonly name: string
  readonly kind: SpanKind
  /** Unix time with a fraction. */
  readonly nowMs: () => number
  readonly take: (span: Span) => void
}

/** One operation of a request: open until it ends, then passed on once. */
export class Span {
  readonly start: SpanStart
  readonly startMs: number
  endMs: number | null = null
  readonly attributes = new Map<AttributeName, OtelPlain>()
  readonly events: SpanEvent[] = []
  isError = false

  constructor(start: SpanStart) {
    this.start = start
    this.startMs = start.nowMs()
  }

  /** Null values are skipped. */
  set(name: AttributeName, value: OtelPlain | null): void {
    if (value !== null) this.attributes.set(name, value)
  }

  note(name: string): void {
    this.events.push({ name, atMs: this.start.nowMs() })
  }

  /** `isOurs` means that it is not the client's fault, so the span counts as failed. The first cause is kept. */
  fail(errorType: string, { isOurs }: { isOurs: boolean }): void {
    if (!this.attributes.has('errorType')) this.attributes.set('errorType', errorType)
    this.isError ||= isOurs
  }

  end(): void {
    if (this.endMs !== null) return
    this.endMs = this.start.nowMs()
    this.start.take(this)
  }
}
