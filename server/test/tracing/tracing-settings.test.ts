import { afterEach, expect, it } from 'vitest'
import { parseJsonObject } from '#lib/json.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { shared, startHostsWorld } from '#test/routing/hosts-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { startWebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { spanNamed, startTracesWorld, type TracesWorld, traceOf } from './traces-world.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'rojo=1,congo=2' }
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(environment: Record<string, string>): Promise<TracesWorld> {
  const world = await startTracesWorld(environment)
  closing.push(world.close)
  return world
}

async function chat({ gateway }: Pick<TracesWorld, 'gateway'>, headers: Record<string, string> = {}) {
  const caller = await gateway.createClient()
  return gateway.as(caller).post('/v1/chat/completions', { model: shared, messages: hello }, { headers })
}

it('upstreams that are named learn of the trace, and belong under the attempt', async () => {
  const world = await start({ WEIR_TRACING_PROPAGATE_TO: 'vllm.internal,127.0.0.1' })
  expect((await chat(world, sampled)).status).toBe(200)
  const attempt = spanNamed(await world.spansOf(traceId), ({ kind }) => kind === 3)
  expect(world.hosts.groq.requests[0]?.headers).toMatchObject({
    traceparent: `00-${traceId}-${attempt.spanId}-01`,
    tracestate: 'rojo=1,congo=2',
  })
  const unsampled = { traceparent: `00-${'6'.repeat(32)}-b7ad6b7169203331-00` }
  expect((await chat(world, unsampled)).status).toBe(200)
  expect(world.hosts.groq.requests[1]?.headers['traceparent']).toMatch(/^00-6{32}-[0-9a-f]{16}-00$/)
})

it('with a share of zero only the traces of clients that record theirs are recorded', async () => {
  const world = await start({ WEIR_TRACING_SAMPLE_RATIO: '0' })
  const own = await chat(world)
  await chat(world, sampled)
  await world.spansOf(traceId)
  expect(world.collector.calls.map(({ body }) => body).join('')).not.toContain(traceOf(own.headers))
  expect(world.logged(traceOf(own.headers))).toHaveLength(1)
})

it('begins every trace itself where clients are not trusted', async () => {
  const world = await start({ WEIR_TRACING_TRUST_PARENTS: 'false' })
  const reply = await chat(world, sampled)
  expect((await world.spansOf(traceOf(reply.headers))).length).toBeGreaterThan(10)
  expect(world.collector.calls.map(({ body }) => body).join('')).not.toContain(traceId)
})

it('sends what is left when it stops', async () => {
  const world = await startTracesWorld()
  const reply = await chat(world)
  await world.gateway.close()
  // There is no poll: data that is unsent at this point will never be sent.
  const { body } = world.collector.calls.at(-1) ?? { body: '' }
  expect(body).toContain(traceOf(reply.headers))
  await Promise.all([world.collector, ...Object.values(world.hosts)].map((place) => place.close()))
})

it('a collector that is away neither slows nor fails a request, and is logged once', async () => {
  const url = `http://127.0.0.1:${await findLastingPort()}/v1/traces`
  const world = await start({ WEIR_TRACING_URL: url })
  for (let times = 0; times < 3; times += 1) expect((await chat(world)).status).toBe(200)
  const complaints = () =>
    world.gateway.logLines
      .map((line) => parseJsonObject(line) ?? {})
      .filter(({ msg }) => String(msg).includes('failed to send spans'))
  await expect.poll(complaints, { timeout: 20_000 }).toMatchObject([{ level: 40 }])
  expect((await chat(world)).status).toBe(200)
  expect(await world.gateway.readMetrics()).toMatch(/^weir_trace_spans_sent_total 0$/m)
})

it('without a collector nothing is traced, logged or passed on', async () => {
  const collector = await startWebhookReceiver()
  const world = await startHostsWorld({ WEIR_TRACING_PROPAGATE_TO: '127.0.0.1' })
  closing.push(world.close, collector.close)
  const reply = await chat(world, sampled)
  expect(reply.status).toBe(200)
  expect(world.hosts.groq.requests[0]?.headers).not.toHaveProperty('traceparent')
  expect(world.hosts.groq.requests[0]?.headers).not.toHaveProperty('tracestate')
  expect(world.gateway.logLines.join('')).not.toContain('traceId')
  expect(collector.connections).toBe(0)
})
