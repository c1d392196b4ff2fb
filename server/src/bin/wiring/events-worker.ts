import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { eventSinksOf } from '#config/event-sinks.ts'
import type { SendEventsDeps } from '#jobs/events/send-events.ts'
import { createLagoSink } from '#net/events/lago-sink.ts'
import { createNdjsonHttpSink } from '#net/events/ndjson-http-sink.ts'
import { createOpenMeterSink } from '#net/events/openmeter-sink.ts'
import { createOtlpSink } from '#net/events/otlp-sink.ts'
import { createStripeMeterSink } from '#net/events/stripe-meter-sink.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import type { EventSink } from '#ports/event-sinks.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { createNdjsonFileSink } from '#store/events/ndjson-file-sink.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { createPostgresEventCursors } from '#store/postgres/events/postgres-event-cursors.ts'
import { logFault } from '#lib/log-fault.ts'

interface WiredEvents {
  readonly deps: SendEventsDeps
  /** Called after all parts have ended. */
  close(): Promise<void>
}

/** Sends settled requests to the operator's event sinks. */
export function wireEvents({
  config,
  logger,
  lookup,
}: {
  config: Config
  logger: Logger
  lookup: LookupFunction
}): WiredEvents {
  const { events } = config
  const upstreams = createUpstreamClient({ connectTimeoutMs: events.timeoutMs, connectionsMax: 2, lookup })
  const sinks = wireSinks(events, upstreams)
  // Each sink has its own connection, because it is held while sending. A timeout keeps a dead connection from blocking
  // a sink forever.
  const pool = createPool({
    connectionString: config.postgres.url,
    max: Math.max(1, sinks.length),
    query_timeout: 60_000,
    connectionTimeoutMillis: 5_000,
    application_name: 'weir events',
    options: '-c jit=off',
    onError: logFault(logger, 'an events connection to Postgres was lost', { level: 'warn', overAfterMs: 60_000 })
      .failed,
  })
  const deps: SendEventsDeps = {
    sinks,
    cursors: createPostgresEventCursors(pool),
    fromStart: events.fromStart,
    everyMs: events.pollMs,
    batchMax: events.batch,
    onSent: (sink, count) => logger.debug({ sink, count }, 'delivered events'),
    onRemark: (sink, remark) => logger.warn({ sink, remark }, 'event sink accepted a batch with a warning'),
    onBusy: (sink, why, againInMs) => logger.warn({ sink, why, againInMs }, 'event delivery failed; retrying'),
    onRefused: (sink, why, againInMs) => logger.error({ sink, why, againInMs }, 'event sink rejects events'),
    onForgotten: (names) => logger.warn({ sinks: names }, 'removed event sinks that are no longer configured'),
  }
  return {
    deps,
    close: async () => {
      await pool.end()
      await upstreams.close()
    },
  }
}

function wireSinks(events: Config['events'], upstreams: Upstreams): EventSink[] {
  const { otlp, ndjsonFiles, ndjsonHttp, openMeter, lago, stripeMeter } = eventSinksOf(events)
  const common = { upstreams, timeoutMs: events.timeoutMs, nowMs: Date.now }
  const metering = { ...common, meter: events.meter, organizationId: events.meterOrganization }
  return [
    ...otlp.map((sink) => createOtlpSink({ ...common, ...sink })),
    ...ndjsonFiles.map((file) => createNdjsonFileSink(file)),
    ...ndjsonHttp.map((sink) => createNdjsonHttpSink({ ...common, ...sink })),
    ...openMeter.map((sink) => createOpenMeterSink({ ...metering, ...sink })),
    ...lago.map((sink) => createLagoSink({ ...metering, ...sink })),
    ...stripeMeter.map((sink) => createStripeMeterSink({ ...metering, ...sink })),
  ]
}
