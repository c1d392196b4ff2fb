import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { httpSink } from '#config/event-sinks.ts'
import { logFault } from '#lib/log-fault.ts'
import { realTimers } from '#lib/timers.ts'
import { chooseTracing, type Tracing } from '#net/tracing/choose-tracing.ts'
import { readVersion } from '../version.ts'
import type { Metrics } from './metrics.ts'
import type { WiredOutbound } from './outbound.ts'

/** Request traces, if the operator has a collector. */
export function wireTracing(deps: {
  config: Config
  logger: Logger
  metrics: Metrics
  outbound: WiredOutbound
  nowMs: () => number
}): Tracing {
  const { url, headers, serviceName, resourceAttributes, ...settings } = deps.config.tracing
  const { spansSent, spansDropped } = deps.metrics
  return chooseTracing(
    { ...settings, collectors: httpSink(url, headers) },
    {
      process: {
        serviceName,
        resourceAttributes: pairsOf(resourceAttributes),
        version: readVersion(),
        hostName: hostname(),
        pid: process.pid,
      },
      lookup: deps.outbound.lookup,
      timers: realTimers,
      nowMs: deps.nowMs,
      fault: logFault(deps.logger, 'failed to send spans to the trace collector', { level: 'warn' }),
      onSent: (count) => spansSent.inc(count),
      onDropped: (count, reason) => spansDropped.inc({ reason }, count),
    },
  )
}

/** From entries `name=value`, whose form the configuration has checked. */
function pairsOf(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const end = entry.indexOf('=')
      return [entry.slice(0, end), entry.slice(end + 1)]
    }),
  )
}
