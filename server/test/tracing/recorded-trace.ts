import { isRecorded, type RecordedTrace } from '#domain/tracing/request-trace.ts'
import type { Span } from '#domain/tracing/span.ts'
import { createTracer } from '#domain/tracing/tracer.ts'

/** A trace inside a test, and its spans in the order of their ends. */
export function recordedTrace(): { trace: RecordedTrace; ended: readonly Span[] } {
  const ended: Span[] = []
  let spans = 0
  let elapsedMs = 0
  const tracer = createTracer({
    sampleRatio: 1,
    trustParents: true,
    nowMs: () => 1_800_000_000_000,
    elapsedMs: () => (elapsedMs += 1),
    newSpanId: () => `${(spans += 1)}`.padStart(16, 'a'),
    take: (span) => void ended.push(span),
  })
  const request = { id: '0199a1c2b3d47e5f8a9b0c1d2e3f4a5b', name: 'POST /v1/chat/completions' }
  const trace = tracer.begin({ ...request, traceParent: undefined, traceState: undefined })
  if (!isRecorded(trace)) throw new Error('all traces are recorded')
  return { trace, ended }
}

/** A span without its ids and times. */
export function wordsOf({ start, attributes, events, isError }: Span) {
  return {
    name: start.name,
    ...Object.fromEntries(attributes),
    ...(events.length > 0 ? { events: events.map(({ name }) => name) } : {}),
    ...(isError ? { isError } : {}),
  }
}
