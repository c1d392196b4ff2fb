import { expect, it } from 'vitest'
import { createPropagate } from './propagate.ts'
import { createTracer } from './tracer.ts'

const id = '0199a1c2b3d47e5f8a9b0c1d2e3f4a5b'
const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function begin({
  traceState = undefined as string | undefined,
  sampleRatio = 1,
  parent = undefined as string | undefined,
} = {}) {
  let spans = 0
  const newSpanId = (): string => `${(spans += 1)}`.padStart(16, 'a')
  const tracer = createTracer({
    sampleRatio,
    trustParents: true,
    nowMs: () => 1,
    elapsedMs: () => 1,
    newSpanId,
    take: () => {},
  })
  return tracer.begin({ id, name: 'POST /v1/chat/completions', traceParent: parent, traceState })
}

it.each([
  ['https://vllm.internal', true],
  ['https://vllm.internal:8443', true],
  ['http://VLLM.internal:9', true],
  ['http://other:8000', true],
  ['http://other:8001', false],
  ['https://edge', true],
  ['http://edge', false],
  ['http://[::1]:80', true],
  ['https://api.openai.com', false],
  ['https://vllm.internal.evil.example', false],
  ['not an origin', false],
])('a request to %s learns of the trace: %s', (origin, isTold) => {
  const propagate = createPropagate(['vllm.internal', 'Other:8000', 'edge:443', '[::1]'])
  const { headers } = propagate(begin(), { origin, headers: { a: 'b' } })
  expect(Object.keys(headers)).toEqual(isTold ? ['a', 'traceparent'] : ['a'])
})

it('gives the same request back where nobody may know, or there is no trace', () => {
  const request = { origin: 'https://vllm.internal', headers: {} }
  expect(createPropagate([])(begin(), request)).toBe(request)
  expect(createPropagate(['vllm.internal'])(null, request)).toBe(request)
})

it('names the attempt that is under way as the parent, and passes on what others noted', () => {
  const propagate = createPropagate(['host'])
  const request = { origin: 'http://host', headers: {} }
  const trace = begin({ parent: traceParent, traceState: 'rojo=1' })
  const { traceId } = trace
  expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c')
  trace.attempt = trace.begin('chat model', 'client')
  const expected = `00-${traceId}-${trace.attempt.start.spanId}-01`
  expect(propagate(trace, request).headers).toEqual({ traceparent: expected, tracestate: 'rojo=1' })
})

it('says of a trace that is not recorded that it is not', () => {
  const trace = begin({ sampleRatio: 0 })
  expect(trace.root).toBeNull()
  expect(trace.headers()).toEqual({ traceparent: `00-${id}-aaaaaaaaaaaaaaa1-02` })
})
