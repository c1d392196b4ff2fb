import { expect, it } from 'vitest'
import { judgeExport } from '#test/tracing/judge-export.ts'
import { createEncodeSpans } from './otlp-spans.ts'
import { isRecorded } from './request-trace.ts'
import type { Span } from './span.ts'
import { createTracer } from './tracer.ts'

const encode = createEncodeSpans({
  serviceName: 'weir',
  resourceAttributes: { 'deployment.environment.name': 'test', 'service.name': 'ignored' },
  version: '1.2.3',
  hostName: 'host',
  pid: 42,
})
const startMs = 1_800_000_000_123

function trace({ traceParent = undefined as string | undefined, traceState = undefined as string | undefined } = {}) {
  const ended: Span[] = []
  let elapsedMs = 50.25
  let spans = 0
  const tracer = createTracer({
    sampleRatio: 1,
    trustParents: true,
    nowMs: () => startMs,
    elapsedMs: () => elapsedMs,
    newSpanId: () => `${(spans += 1)}`.padStart(16, 'a'),
    take: (span) => void ended.push(span),
  })
  const begun = tracer.begin({
    id: '0199a1c2b3d47e5f8a9b0c1d2e3f4a5b',
    name: 'GET /v1/models',
    traceParent,
    traceState,
  })
  if (!isRecorded(begun)) throw new Error('the trace is recorded')
  return { trace: begun, ended, pass: (ms: number) => void (elapsedMs += ms) }
}

it("is what OpenTelemetry's own serializer writes, with every kind of attribute, events, errors and parents", () => {
  const {
    trace: request,
    ended,
    pass,
  } = trace({
    traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03',
    traceState: 'rojo=1,congo=2',
  })
  const { root } = request
  const attempt = request.begin('chat model', 'client')
  attempt.set('provider', 'openai')
  attempt.set('requestStream', true)
  attempt.set('inputTokens', 7)
  attempt.set('costNanoUsd', 9_007_199_254_740_991n)
  attempt.set('firstChunkSeconds', { double: 0.125 })
  attempt.set('finishReasons', ['stop'])
  attempt.set('organizationId', null)
  pass(0.5)
  attempt.note('first_token')
  attempt.fail('timeout', { isOurs: true })
  attempt.end()
  pass(1)
  root.fail('unauthenticated', { isOurs: false })
  root.end()
  const [seenAttempt, seenRoot] = judgeExport(encode(ended))
  expect(seenAttempt).toMatchObject({
    kind: 3,
    // Sampled, random, and the parent is known to be local.
    flags: 0x103,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: root.start.spanId,
    startNs: 1_800_000_000_123_000_000n,
    endNs: 1_800_000_000_123_500_000n,
    events: ['first_token'],
    isError: true,
  })
  expect(seenAttempt?.attributes).toEqual({
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.stream': true,
    'gen_ai.usage.input_tokens': 7n,
    'weir.cost_nano_usd': 9_007_199_254_740_991n,
    'gen_ai.response.time_to_first_chunk': 0.125,
    'gen_ai.response.finish_reasons': ['stop'],
    'error.type': 'timeout',
  })
  expect(seenRoot).toMatchObject({ kind: 2, flags: 0x303, parentSpanId: 'b7ad6b7169203331', isError: false })
  expect(seenRoot?.endNs).toBe(1_800_000_000_124_500_000n)
  expect(encode(ended)).toContain('"traceState":"rojo=1,congo=2"')
  expect(encode(ended)).toContain('{"key":"service.name","value":{"stringValue":"weir"}}')
  expect(encode(ended)).toContain('{"key":"deployment.environment.name","value":{"stringValue":"test"}}')
  expect(encode(ended)).not.toContain('ignored')
})

it('has no parent where the trace begins here, and the digits of the request as its id', () => {
  const { trace: request, ended } = trace({ traceParent: 'nonsense' })
  request.root.end()
  request.root.end()
  expect(judgeExport(encode(ended))).toMatchObject([
    { traceId: '0199a1c2b3d47e5f8a9b0c1d2e3f4a5b', parentSpanId: undefined },
  ])
})

it('keeps the first cause of an error', () => {
  const { trace: request, ended } = trace()
  request.root.fail('upstreamTimeout', { isOurs: true })
  request.root.fail('504', { isOurs: false })
  request.root.end()
  const [seen] = judgeExport(encode(ended))
  expect(seen).toMatchObject({ isError: true, attributes: { 'error.type': 'upstreamTimeout' } })
})
