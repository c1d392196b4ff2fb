import type { JsonValue } from '#lib/json.ts'
import { commaList } from './comma-list.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A value from a standard OpenTelemetry variable, or the error in that variable. */
export type OtelValue =
  | { readonly variable: string; readonly value: JsonValue }
  | { readonly variable: string; readonly problem: string }

const readers: Readonly<Record<string, (env: Environment) => OtelValue | undefined>> = {
  'tracing.url': readUrl,
  'tracing.headers': (env) => readList(env, ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'], ': '),
  'tracing.sampleRatio': readSampleRatio,
  'tracing.serviceName': readServiceName,
  'tracing.resourceAttributes': (env) => readList(env, ['OTEL_RESOURCE_ATTRIBUTES'], '='),
}

/** Reads a setting from the standard `OTEL_*` variables. Our own variable and the file take precedence. */
export function otelValueOf(key: string, env: Environment): OtelValue | undefined {
  return readers[key]?.(env)
}

function readUrl(env: Environment): OtelValue | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return { variable: 'OTEL_SDK_DISABLED', value: null }
  const exporters = firstGiven(env, ['OTEL_TRACES_EXPORTER'])
  if (exporters !== undefined && !commaList(exporters.text).includes('otlp')) {
    return { variable: exporters.variable, value: null }
  }
  const tracesEndpoint = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const endpoint = firstGiven(env, [tracesEndpoint, 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  if (endpoint === undefined) return undefined
  const protocol = firstGiven(env, ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'])
  if (protocol?.text === 'grpc') {
    return { variable: protocol.variable, problem: 'is grpc, but spans are sent over HTTP: set http/json' }
  }
  const { variable, text } = endpoint
  // The endpoint of traces is used unchanged; that of all signals is a base URL.
  return { variable, value: variable === tracesEndpoint ? text : `${text.replace(/\/+$/, '')}/v1/traces` }
}

const samplers: Readonly<Record<string, 'ratio' | number>> = {
  always_on: 1,
  always_off: 0,
  traceidratio: 'ratio',
}

/**
 * The `parentbased_` samplers give the same ratio: only `tracing.trustParents` decides whether a client's trace is
 * continued.
 */
function readSampleRatio(env: Environment): OtelValue | undefined {
  const sampler = firstGiven(env, ['OTEL_TRACES_SAMPLER'])
  if (sampler === undefined) return undefined
  const ratio = samplers[sampler.text.replace(/^parentbased_/, '')]
  if (ratio === undefined) {
    const known = Object.keys(samplers).join(', ')
    return { variable: sampler.variable, problem: `must be one of ${known}, with or without parentbased_` }
  }
  if (ratio !== 'ratio') return { variable: sampler.variable, value: ratio }
  const argument = firstGiven(env, ['OTEL_TRACES_SAMPLER_ARG'])
  if (argument === undefined) return { variable: sampler.variable, value: 1 }
  const isNumber = /^\d*\.?\d+$/.test(argument.text)
  return { variable: argument.variable, value: isNumber ? Number(argument.text) : argument.text }
}

function readServiceName(env: Environment): OtelValue | undefined {
  const name = firstGiven(env, ['OTEL_SERVICE_NAME'])
  if (name !== undefined) return { variable: name.variable, value: name.text }
  const attributes = firstGiven(env, ['OTEL_RESOURCE_ATTRIBUTES'])
  const entry = attributes && commaList(attributes.text).find((each) => each.startsWith('service.name='))
  return attributes === undefined || entry === undefined
    ? undefined
    : { variable: attributes.variable, value: decode(entry.slice('service.name='.length)) }
}

/** Reads `name=value` pairs, whose values are percent-encoded, as OpenTelemetry writes headers and attributes. */
function readList(env: Environment, variables: readonly string[], separator: string): OtelValue | undefined {
  const given = firstGiven(env, variables)
  if (given === undefined) return undefined
  const entries = commaList(given.text)
  if (entries.some((entry) => !/^[^=]+=./.test(entry))) {
    return { variable: given.variable, problem: 'has an entry that is not `name=value`' }
  }
  const value = entries.map((entry) => {
    const end = entry.indexOf('=')
    return `${entry.slice(0, end).trim()}${separator}${decode(entry.slice(end + 1).trim())}`
  })
  return { variable: given.variable, value }
}

function firstGiven(env: Environment, variables: readonly string[]) {
  for (const variable of variables) {
    const text = env[variable]?.trim() ?? ''
    if (text !== '') return { variable, text }
  }
  return undefined
}

/** A value with a stray percent sign is used unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
