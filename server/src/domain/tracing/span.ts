import type { OtelPlain } from '#domain/events/otel-attributes.ts'
import type { AttributeName } from '#domain/events/otel-names.ts'
import type { TraceContext } from './trace-context.ts'

/** What OTLP calls a span: the work inside, a request that came in, a request that went out. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof spanKinds

export interface SpanEvent {
  readonly name: string
  readonly atMs: number
}

/** What a span must be told when it begins. */
interface SpanStart extends TraceContext {
  readonly parentSpanId: string | null
  /** The parent is another system's. */
  readonly isParentRemote: boolean
  readonly name: string
  readonly kind: SpanKind
  /** Unix time with a fraction. */
  readonly nowMs: () => number
  readonly take: (span: Span) => void
}

/** One piece of work of a request: open until it ends, then handed over once. */
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

  /** Null is left out. */
  set(name: AttributeName, value: OtelPlain | null): void {
    if (value !== null) this.attributes.set(name, value)
  }

  note(name: string): void {
    this.events.push({ name, atMs: this.start.nowMs() })
  }

  /** `isOurs`: not the client's fault, so the span counts as failed. The first cause stays. */
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
