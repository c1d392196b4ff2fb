import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type FastScenario } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const model = 'openai/gpt-oss-20b'
const funded = { WEIR_LIMITS_INFERENCE_LOW: '100000', WEIR_LIMITS_INFERENCE_FUNDED: '100000' }

// In the order of trying where nobody has measured or prefers anything: the worst of all, the fluent one, the prompt one. They are
// so far apart that a busy machine does not bring them together.
const behaviours = {
  deepinfra: { kind: 'fast', chunks: 6, firstByteDelayMs: 2_000, chunkDelayMs: 120 },
  groq: { kind: 'fast', chunks: 400, firstByteDelayMs: 1_500 },
  together: { kind: 'fast', chunks: 6, firstByteDelayMs: 0, chunkDelayMs: 120 },
} as const satisfies Record<string, FastScenario>
type HostName = keyof typeof behaviours
const hostNames = ['deepinfra', 'groq', 'together'] as const satisfies HostName[]

describe('hosts that were measured by one gateway', () => {
  let gateway: TestGateway
  let other: { url: string; close(): Promise<void> }
  let hosts: Record<HostName, Simulator>
  let key: string

  beforeAll(async () => {
    gateway = await startTestGateway()
    hosts = { deepinfra: await startSimulator(), groq: await startSimulator(), together: await startSimulator() }
    for (const [priority, vendor] of hostNames.entries()) {
      hosts[vendor].play(behaviours[vendor])
      await gateway.addProvider({ vendor, url: `${hosts[vendor].url}/v1`, pattern: model, priority })
    }
    key = (await gateway.createCaller()).key
    other = await startSecondGateway(gateway, funded)
  }, 30_000)
  afterAll(async () => {
    await other.close()
    await gateway.close()
    for (const host of Object.values(hosts)) await host.close()
  })

  /** Whom a request to this gateway was sent to. */
  async function served(url: string, body: JsonObject): Promise<HostName | undefined> {
    const before = hostNames.map((name) => hosts[name].requests.length)
    expect((await callChat({ url, key }, { model, stream: true, ...body })).status).toBe(200)
    return hostNames.find((name, index) => hosts[name].requests.length > (before[index] ?? 0))
  }

  it('[ROUTE-11][ROUTE-23] are sorted by the other, by first token and by speed', { timeout: 30_000 }, async () => {
    expect(await served(other.url, { provider: { sort: 'latency' } })).toBe('deepinfra')
    await Promise.all(
      hostNames.flatMap((only) =>
        Array.from({ length: 4 }, () => callChat(gateway.as(key), { model, stream: true, provider: { only: [only] } })),
      ),
    )
    await expect
      .poll(() => measuredHosts(other.url), { timeout: 15_000, interval: 200 })
      .toEqual([...hostNames].toSorted())
    expect(await served(other.url, {})).toBe('deepinfra')
    expect(await served(other.url, { provider: { sort: 'latency' } })).toBe('together')
    expect(await served(other.url, { provider: { sort: { by: 'latency', partition: 'none' } } })).toBe('together')
    expect(await served(other.url, { provider: { sort: 'throughput' } })).toBe('groq')
    expect(await served(other.url, { model: `${model}:nitro` })).toBe('groq')
  })

  it('[ROUTE-10] are sorted by their input price where the name asks for the cheapest', async () => {
    // In USD for a million tokens of input: deepinfra 0.04, together 0.06, groq 0.1.
    expect(await served(other.url, { model: `${model}:floor` })).toBe('deepinfra')
    expect(await served(other.url, { model: `${model}:floor`, provider: { ignore: ['deepinfra'] } })).toBe('together')
    expect(await served(other.url, { provider: { sort: 'price', ignore: ['deepinfra'] } })).toBe('together')
  })

  it('show what was measured beside the model', async () => {
    const endpoints = await endpointsOf(other.url)
    const prompt = endpoints.find(({ provider_name }) => provider_name === 'together')
    const unused = endpoints.find(({ provider_name }) => provider_name === 'fireworks')
    expect(prompt).toMatchObject({ latency_ms: { median: expect.any(Number), p95: expect.any(Number) } })
    expect(prompt).toMatchObject({ tokens_per_second: { median: expect.any(Number) } })
    expect(unused).toMatchObject({ latency_ms: null, tokens_per_second: null })
  })
})

describe('a gateway without Redis', () => {
  it('[ROUTE-23] sorts by what it has measured itself', { timeout: 30_000 }, async () => {
    const gateway = await startTestGateway({ WEIR_REDIS_URL: 'redis://127.0.0.1:9' })
    const [slow, fast] = [await startSimulator(), await startSimulator()]
    slow.play({ kind: 'fast', chunks: 4, firstByteDelayMs: 1_000 })
    fast.play({ kind: 'fast', chunks: 4 })
    await gateway.addProvider({ vendor: 'groq', url: `${slow.url}/v1`, pattern: model, priority: 0 })
    await gateway.addProvider({ vendor: 'together', url: `${fast.url}/v1`, pattern: model, priority: 1 })
    const { key } = await gateway.createCaller()
    for (const only of ['groq', 'together', 'groq', 'together', 'groq', 'together']) {
      await callChat(gateway.as(key), { model, stream: true, provider: { only: [only] } })
    }
    await expect
      .poll(() => measuredHosts(gateway.url), { timeout: 15_000, interval: 200 })
      .toEqual(['groq', 'together'])
    await callChat(gateway.as(key), { model, stream: true, provider: { sort: 'latency' } })
    expect([slow.requests.length, fast.requests.length]).toEqual([3, 4])
    await gateway.close()
    await slow.close()
    await fast.close()
  })
})

async function endpointsOf(url: string): Promise<JsonObject[]> {
  const { data } = await createClient(url).get('/v1/models/openai/gpt-oss-20b/endpoints')
  return Array.isArray(data.endpoints) ? data.endpoints.filter(isJsonObject) : []
}

async function measuredHosts(url: string): Promise<string[]> {
  const endpoints = await endpointsOf(url)
  return endpoints
    .filter(({ latency_ms, tokens_per_second }) => latency_ms !== null && tokens_per_second !== null)
    .map(({ provider_name }) => String(provider_name))
    .toSorted()
}
