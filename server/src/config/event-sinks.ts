import type { Config } from './config-schema.ts'

interface HttpSink {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The configured event sinks for settled requests, by kind. */
interface EventSinkSettings {
  readonly otlp: readonly HttpSink[]
  readonly ndjsonFiles: readonly string[]
  readonly ndjsonHttp: readonly HttpSink[]
  readonly openMeter: readonly HttpSink[]
  readonly lago: readonly HttpSink[]
  readonly stripeMeter: readonly HttpSink[]
}

type SinkSettings = Pick<
  Config['events'],
  | 'otlpUrl'
  | 'otlpHeaders'
  | 'ndjsonFile'
  | 'ndjsonUrl'
  | 'ndjsonHeaders'
  | 'openMeterUrl'
  | 'openMeterHeaders'
  | 'lagoUrl'
  | 'lagoHeaders'
  | 'stripeMeterUrl'
  | 'stripeMeterHeaders'
>

export function eventSinksOf(events: SinkSettings): EventSinkSettings {
  return {
    otlp: httpSink(events.otlpUrl, events.otlpHeaders),
    ndjsonFiles: events.ndjsonFile === null ? [] : [events.ndjsonFile],
    ndjsonHttp: httpSink(events.ndjsonUrl, events.ndjsonHeaders),
    openMeter: httpSink(events.openMeterUrl, events.openMeterHeaders),
    lago: httpSink(events.lagoUrl, events.lagoHeaders),
    stripeMeter: httpSink(events.stripeMeterUrl, events.stripeMeterHeaders),
  }
}

/** Returns no sink if no URL is set. */
export function httpSink(url: string | null, headers: readonly string[]): HttpSink[] {
  return url === null ? [] : [{ url, headers: headersFrom(headers) }]
}

/** Parses lines `name: value`, whose format the schema has checked. */
function headersFrom(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.indexOf(':')
      return [line.slice(0, end).toLowerCase(), line.slice(end + 1).trim()]
    }),
  )
}
