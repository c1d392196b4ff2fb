import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hello, textOf } from '#test/setup/call-chat.ts'
import { shared } from '#test/routing/hosts-world.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { openStream } from '#test/streams/stream-client.ts'
import { rootOf, spanNamed, startTracesWorld, traceOf, type TracesWorld, treeOf } from './traces-world.ts'

const parentTrace = '0af7651916cd43dd8448eb211c80319c'
const parentSpan = 'b7ad6b7169203331'
const stages = ['authenticate', 'receive', 'parse', 'admit', 'guard', 'route', 'free-tier', 'hold']

let world: TracesWorld
beforeAll(async () => {
  world = await startTracesWorld()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

function chat(body: object, headers: Record<string, string> = {}, path = '/v1/chat/completions') {
  return world.gateway.createClient().then(async (caller) => ({
    caller,
    reply: await world.gateway.as(caller).post(path, { model: shared, messages: hello, ...body }, { headers }),
  }))
}

describe('the trace of a request', () => {
  it('goes on from its client, with a span for each stage, the attempt and the settle of a stream', async () => {
    const { caller, reply } = await chat(
      { stream: true },
      { traceparent: `00-${parentTrace}-${parentSpan}-01`, tracestate: 'rojo=1' },
    )
    expect(textOf(reply.chunks)).not.toBe('')
    const spans = await world.spansOf(parentTrace)
    expect(treeOf(spans)).toEqual([
      'POST /v1/chat/completions',
      ...stages.map((name) => `  ${name}`),
      '  dispatch',
      '    chat openai/gpt-oss-20b',
      '  settle',
    ])
    const root = rootOf(spans)
    expect(root).toMatchObject({ parentSpanId: parentSpan, isError: false })
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200n,
      'url.scheme': 'http',
      'url.path': '/v1/chat/completions',
      'weir.request.id': reply.headers.get('x-request-id'),
      'weir.generation.id': reply.headers.get('x-generation-id'),
      'weir.endpoint': 'chat',
      'weir.wallet.id': caller.walletId,
      'weir.key.id': caller.keyId,
      'gen_ai.request.model': shared,
    })
    const attempt = spanNamed(spans, ({ kind }) => kind === 3)
    expect(attempt.events).toEqual(['first_token'])
    expect(attempt.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'groq',
      'gen_ai.request.model': 'openai/gpt-oss-20b',
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 6n,
      'gen_ai.usage.output_tokens': 4n,
      'http.response.status_code': 200n,
      'weir.provider': 'groq',
      'weir.provider.account': 'groq',
      'weir.attempt': 1n,
      'weir.outcome': 'answered',
    })
    const settle = spanNamed(spans, 'settle')
    expect(settle.attributes).toEqual({ 'weir.cost_nano_usd': expect.any(BigInt) })
    // Each stage is within the request, the attempt within the dispatch, and the settlement after both.
    const dispatch = spanNamed(spans, 'dispatch')
    for (const span of spans) expect(span.startNs >= root.startNs && span.endNs >= span.startNs).toBe(true)
    expect(attempt.startNs >= dispatch.startNs && attempt.endNs <= dispatch.endNs).toBe(true)
    expect(settle.startNs >= dispatch.endNs).toBe(true)
    expect(world.logged(parentTrace)).toMatchObject([
      { msg: 'generation', requestId: reply.headers.get('x-request-id') },
    ])
  })

  it('shows the upstream that failed beside the one that answered', async () => {
    world.hosts.groq.play(faults.serverError(503))
    const { reply } = await chat({ provider: { only: ['groq', 'deepinfra'] } })
    expect(reply.status).toBe(200)
    const spans = await world.spansOf(traceOf(reply.headers))
    expect(treeOf(spans).slice(-4)).toEqual([
      '  dispatch',
      '    chat openai/gpt-oss-20b',
      '    chat openai/gpt-oss-20b',
      '  settle',
    ])
    const [first, second] = spans.filter(({ kind }) => kind === 3)
    expect(first).toMatchObject({ isError: true, events: [] })
    expect(first?.attributes).toMatchObject({
      'weir.attempt': 1n,
      'weir.provider.account': 'groq',
      'http.response.status_code': 503n,
      'weir.outcome': 'upstreamUnavailable',
      'error.type': 'upstreamUnavailable',
    })
    expect(second).toMatchObject({ isError: false })
    expect(second?.attributes).toMatchObject({
      'weir.attempt': 2n,
      'weir.provider.account': 'deepinfra',
      'http.response.status_code': 200n,
      'weir.outcome': 'answered',
    })
    expect(rootOf(spans)).toMatchObject({ isError: false, parentSpanId: undefined })
    expect((first?.endNs ?? 0n) <= (second?.startNs ?? 0n)).toBe(true)
  })

  it('is an error where nobody answered, also where a stream broke after its head', async () => {
    world.reset(faults.serverError(500))
    const { reply } = await chat({ provider: { only: ['groq'] } })
    expect(reply.status).toBe(502)
    const failed = await world.spansOf(traceOf(reply.headers))
    for (const name of ['POST /v1/chat/completions', 'dispatch']) {
      expect(spanNamed(failed, name)).toMatchObject({ isError: true })
      expect(spanNamed(failed, name).attributes).toMatchObject({ 'error.type': 'upstreamUnavailable' })
    }
    expect(rootOf(failed).attributes).toMatchObject({ 'weir.refund_reason': 'upstream_failed' })

    world.reset(faults.resetMidStream())
    const broken = await chat({ stream: true, provider: { only: ['groq'] } })
    expect(broken.reply.status).toBe(200)
    const spans = await world.spansOf(traceOf(broken.reply.headers))
    const attempt = spanNamed(spans, ({ kind }) => kind === 3)
    expect(attempt).toMatchObject({ isError: true, events: ['first_token'] })
    expect(attempt.attributes).toMatchObject({ 'error.type': 'broken', 'weir.outcome': 'broken' })
    expect(rootOf(spans)).toMatchObject({ isError: true })
    expect(rootOf(spans).attributes).toMatchObject({
      'http.response.status_code': 200n,
      'weir.refund_reason': 'stream_interrupted',
    })
  })

  it('ends where its client leaves, and is no error then', async () => {
    const caller = await world.gateway.createClient()
    world.reset(insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }))
    const stream = await openStream(world.gateway.as(caller), { model: shared, provider: { only: ['groq'] } })
    await world.hosts.groq.waitForGate('g')
    await stream.waitFor('Hel')
    stream.leave()
    const spans = await world.spansOf(String(stream.headers['x-request-id']).slice(4))
    const attempt = spanNamed(spans, ({ kind }) => kind === 3)
    expect(attempt).toMatchObject({ isError: false, events: ['first_token'] })
    expect(attempt.attributes).toMatchObject({ 'weir.outcome': 'abandoned', 'weir.cancelled': true })
    expect(rootOf(spans)).toMatchObject({ isError: false })
    expect(rootOf(spans).attributes).toMatchObject({ 'weir.cancelled': true, 'http.response.status_code': 200n })
  })

  it('names the stage that refused it, without blaming the gateway', async () => {
    const refused = await world.gateway
      .as('no-such-key')
      .post('/v1/chat/completions', { model: shared, messages: hello })
    expect(refused.status).toBe(401)
    const traceId = traceOf(refused.headers)
    const spans = await world.spansOf(traceId)
    expect(treeOf(spans)).toEqual(['POST /v1/chat/completions', '  authenticate'])
    expect(spanNamed(spans, 'authenticate')).toMatchObject({ isError: false })
    expect(spanNamed(spans, 'authenticate').attributes).toEqual({ 'error.type': 'unauthenticated' })
    expect(rootOf(spans).attributes).toMatchObject({ 'http.response.status_code': 401n })
    expect(world.logged(traceId)).toMatchObject([{ msg: 'refused', error: 'unauthenticated' }])
  })

  it('has one span where there are no stages, and no path that may hold a secret', async () => {
    const caller = await world.gateway.createClient()
    const client = world.gateway.as(caller)
    const models = await client.get('/v1/models')
    expect(treeOf(await world.spansOf(traceOf(models.headers)))).toEqual(['GET /v1/models'])
    const missing = await client.get('/v1/generation?id=gen-00000000000000000000000000000000')
    const spans = await world.spansOf(traceOf(missing.headers))
    expect(rootOf(spans).attributes).toMatchObject({ 'http.route': '/v1/generation', 'url.path': '/v1/generation' })
    const video = await client.get('/v1/videos/a-name-in-the-path')
    const [root] = await world.spansOf(traceOf(video.headers))
    expect(root?.attributes).not.toHaveProperty('url.path')
  })
})

describe('what leaves the gateway', () => {
  it('has neither content nor keys, and goes to the collector alone', async () => {
    const { caller, reply } = await chat({ stream: true }, { traceparent: `00-${'7'.repeat(32)}-${parentSpan}-01` })
    expect(reply.status).toBe(200)
    await world.spansOf('7'.repeat(32))
    const exported = world.collector.calls.map(({ body }) => body).join('\n')
    for (const secret of [hello[0]?.content ?? '', caller.key, 'upstream-secret', 'secret-of-the-collector']) {
      expect(secret).not.toBe('')
      expect(exported).not.toContain(secret)
    }
    expect(world.collector.calls[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-collector-key': 'secret-of-the-collector' },
    })
    const [asked] = world.hosts.groq.requests
    expect(asked?.headers).not.toHaveProperty('traceparent')
    expect(asked?.headers).not.toHaveProperty('tracestate')
  })

  it('follows the decision of the client not to record, but logs its trace', async () => {
    const traceId = '5'.repeat(32)
    await chat({}, { traceparent: `00-${traceId}-${parentSpan}-00` })
    // Spans are sent in order: a later one has arrived, so this one would have too.
    const { reply } = await chat({})
    await world.spansOf(traceOf(reply.headers))
    expect(world.collector.calls.map(({ body }) => body).join('')).not.toContain(traceId)
    expect(world.logged(traceId)).toHaveLength(1)
  })

  it('counts spans, and none is dropped', async () => {
    const metrics = await world.gateway.readMetrics()
    expect(Number(/^weir_trace_spans_sent_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    expect(metrics).not.toMatch(/^weir_trace_spans_dropped_total\{/m)
  })
})
