import { describe, expect, it } from 'vitest'
import { describeConfig } from './describe-config.ts'
import { parseConfig } from './parse-config.ts'

const required = { WEIR_SECRET: 'q9V3mZ7kT1xB5nR8wL2yC6dF4hJ0sGpA', WEIR_POSTGRES_URL: 'postgres://weir@db/weir' }

const tracingOf = (env: Record<string, string>, fileText?: string) =>
  parseConfig({ env: { ...required, ...env }, fileText }).tracing

const problemsOf = (env: Record<string, string>) => {
  try {
    parseConfig({ env: { ...required, ...env } })
    return ''
  } catch (error) {
    return String(error)
  }
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

describe('the collector from OpenTelemetry variables', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['nothing set', {}, null],
    ['the endpoint of all signals', endpoint, 'http://collector:4318/v1/traces'],
    ['the same with a slash', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, 'http://c:4318/v1/traces'],
    ['the same with a path', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/otlp' }, 'http://c/otlp/v1/traces'],
    ['the endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/spans' }, 'http://c/spans'],
    ['both', { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/spans' }, 'http://c/spans'],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
    ['the SDK disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, null],
    ['the SDK not disabled', { ...endpoint, OTEL_SDK_DISABLED: 'false' }, 'http://collector:4318/v1/traces'],
    ['no exporter of traces', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, null],
    ['another exporter too', { ...endpoint, OTEL_TRACES_EXPORTER: 'console, otlp' }, 'http://collector:4318/v1/traces'],
    ['protobuf', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, 'http://collector:4318/v1/traces'],
    ['our own variable', { ...endpoint, WEIR_TRACING_URL: 'http://own/v1/traces' }, 'http://own/v1/traces'],
    [
      'gRPC, but our own variable',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', WEIR_TRACING_URL: 'http://own/' },
      'http://own/',
    ],
  ])('%s', (_, env, url) => {
    expect(tracingOf(env).url).toBe(url)
  })

  it('prefers the file', () => {
    expect(tracingOf(endpoint, 'tracing:\n  url: http://file/v1/traces\n').url).toBe('http://file/v1/traces')
  })
})

describe('the sampler', () => {
  it.each<[string, string | undefined, number]>([
    ['always_on', undefined, 1],
    ['always_on', '0.5', 1],
    ['always_off', undefined, 0],
    ['traceidratio', '0.25', 0.25],
    ['traceidratio', undefined, 1],
    ['parentbased_always_on', undefined, 1],
    ['parentbased_always_off', undefined, 0],
    ['parentbased_traceidratio', '.5', 0.5],
  ])('%s with argument %s', (sampler, argument, ratio) => {
    const env = {
      OTEL_TRACES_SAMPLER: sampler,
      ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
    }
    expect(tracingOf(env)).toMatchObject({ sampleRatio: ratio, trustParents: false })
  })
})

it('reads headers and attributes as percent-encoded pairs', () => {
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x-scope = a%b',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=edge,deployment.environment.name=a%2Cb',
  }
  expect(tracingOf(env)).toMatchObject({
    headers: ['authorization: Bearer abc=', 'x-scope: a%b'],
    serviceName: 'edge',
    resourceAttributes: ['service.name=edge', 'deployment.environment.name=a,b'],
  })
  expect(tracingOf({ ...env, OTEL_SERVICE_NAME: 'gateway' }).serviceName).toBe('gateway')
  expect(tracingOf({ ...env, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=b' }).headers).toEqual(['a: b'])
})

it.each([
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'tracing.url (OTEL_EXPORTER_OTLP_PROTOCOL) is grpc, but spans are sent over HTTP: set http/json',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'tracing.url (OTEL_EXPORTER_OTLP_ENDPOINT) must be an http:// or https:// URL',
  ],
  [
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    'tracing.sampleRatio (OTEL_TRACES_SAMPLER) must be one of always_on, always_off, traceidratio, with or without parentbased_',
  ],
  [
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' },
    'tracing.sampleRatio (OTEL_TRACES_SAMPLER_ARG) must be a number from 0 to 1',
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'nonsense' },
    'tracing.headers (OTEL_EXPORTER_OTLP_HEADERS) has an entry that is not `name=value`',
  ],
])('refuses %o', (env, problem) => {
  expect(problemsOf(env)).toContain(problem)
})

it('names the variable that set a value, and hides secret headers', () => {
  const env = { ...required, ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret-token' }
  const described = describeConfig({ env }).filter(({ key }) => key === 'tracing.url' || key === 'tracing.headers')
  expect(described).toEqual([
    {
      key: 'tracing.url',
      variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      shown: 'http://collector:4318/v1/traces',
      source: 'environment',
    },
    {
      key: 'tracing.headers',
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      shown: '(set, not shown)',
      source: 'environment',
    },
  ])
})
