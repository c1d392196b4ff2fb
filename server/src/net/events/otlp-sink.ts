import { otelTraces } from '#domain/events/otel-span.ts'
import type { EventSink } from '#ports/event-sinks.ts'
import type { HttpSinkOptions } from './http-sink-options.ts'
import { createPostSpans } from './post-spans.ts'

/** Sends events as spans. */
export function createOtlpSink(options: HttpSinkOptions): EventSink {
  const post = createPostSpans(options)
  return { name: 'otlp', send: (events) => post(otelTraces(events)) }
}
