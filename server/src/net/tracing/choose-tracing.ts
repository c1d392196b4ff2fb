import type { LookupFunction } from 'node:net'
import { createEncodeSpans, type TracedProcess } from '#domain/tracing/otlp-spans.ts'
import { createPropagate, keepTrace, type Propagate } from '#domain/tracing/propagate.ts'
import { createTracer, type Tracer } from '#domain/tracing/tracer.ts'
import { newSpanId } from '#lib/span-id.ts'
import type { Timers } from '#lib/timers.ts'
import { createPostSpans } from '../events/post-spans.ts'
import { createUpstreamClient } from '../upstream-client.ts'
import { createSpanExporter, type SpanExporterOptions } from './span-exporter.ts'

interface TracingSettings {
  /** Empty: tracing is off. */
  readonly collectors: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[]
  readonly sampleRatio: number
  readonly trustParents: boolean
  readonly propagateTo: readonly string[]
}

interface TracingDeps extends Pick<SpanExporterOptions, 'fault' | 'onSent' | 'onDropped'> {
  readonly process: TracedProcess
  readonly lookup: LookupFunction
  readonly timers: Timers
  readonly nowMs: () => number
}

export interface Tracing {
  /** Null if tracing is off. */
  readonly tracer: Tracer | null
  readonly propagate: Propagate
  /** Sends the queued spans, within a time limit. */
  close(): Promise<void>
}

const timeoutMs = 10_000

export function chooseTracing(settings: TracingSettings, deps: TracingDeps): Tracing {
  const [collector] = settings.collectors
  if (collector === undefined) return { tracer: null, propagate: keepTrace, close: async () => {} }
  const { lookup, timers, nowMs, fault, onSent, onDropped } = deps
  const upstreams = createUpstreamClient({ connectTimeoutMs: timeoutMs, connectionsMax: 1, lookup })
  const exporter = createSpanExporter({
    encode: createEncodeSpans(deps.process),
    post: createPostSpans({ upstreams, ...collector, timeoutMs, nowMs }),
    timers,
    fault,
    onSent,
    onDropped,
  })
  const { sampleRatio, trustParents } = settings
  return {
    tracer: createTracer({
      sampleRatio,
      trustParents,
      nowMs,
      elapsedMs: () => performance.now(),
      newSpanId,
      take: exporter.take,
    }),
    propagate: createPropagate(settings.propagateTo),
    close: async () => {
      await exporter.close()
      await upstreams.close()
    },
  }
}
