import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat, type ChatTarget } from '#test/setup/call-chat.ts'
import { createClient } from '#test/setup/client.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { openStream } from '#test/streams/stream-client.ts'

const model = 'openai/gpt-oss-20b'
const funded = { WEIR_LIMITS_INFERENCE_LOW: '100000', WEIR_LIMITS_INFERENCE_FUNDED: '100000' }

const clock = createTestClock('2030-01-07T12:00:15Z')

/** The speed of a provider, by the clock of the gateways. */
interface Pace {
  firstTokenMs: number
  restMs: number
  tokens: number
}

// In the order in which they are tried without measurements or preferences: the slowest, the one with the highest
// throughput, the one with the lowest latency.
const paces = {
  deepinfra: { firstTokenMs: 2_000, restMs: 600, tokens: 6 },
  groq: { firstTokenMs: 1_500, restMs: 0, tokens: 400 },
  together: { firstTokenMs: 100, restMs: 600, tokens: 6 },
} as const satisfies Record<string, Pace>
type HostName = keyof typeof paces
const hostNames = ['deepinfra', 'groq', 'together'] as const satisfies HostName[]

/** Makes a provider respond at a pace, independent of the machine's speed. */
async function answerAt(target: ChatTarget, host: Simulator, { vendor, ...pace }: Pace & { vendor: string }) {
  const stream = goodStream({}, { prompt: 16, completion: pace.tokens })
  const { steps } = insertAfterWrites(stream, 2, { do: 'gate', name: 'rest' })
  host.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'first token' }, ...steps] })
  const opening = openStream(target, { model, provider: { only: [vendor] } })
  await host.waitForGate('first token')
  clock.forward(pace.firstTokenMs)
  host.release('first token')
  const client = await opening
  await client.waitFor('Hel')
  clock.forward(pace.restMs)
  host.release('rest')
  await client.end()
  host.forget()
}

describe('hosts that were measured by one gateway', () => {
  let gateway: TestGateway
  let other: { url: string; close(): Promise<void> }
  let hosts: Record<HostName, Simulator>
  let key: string

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock)
    hosts = { deepinfra: await startSimulator(), groq: await startSimulator(), together: await startSimulator() }
    for (const [priority, vendor] of hostNames.entries()) {
      await gateway.addProvider({ vendor, url: `${hosts[vendor].url}/v1`, pattern: model, priority })
    }
    key = (await gateway.createClient()).key
    other = await startSecondGateway(gateway, funded, clock)
  })
  afterAll(async () => {
    await other.close()
    await gateway.close()
    for (const host of Object.values(hosts)) await host.close()
  })

  /** The provider that served a request to this gateway. */
  async function served(url: string, body: JsonObject): Promise<HostName | undefined> {
    const before = hostNames.map((name) => hosts[name].requests.length)
    expect((await callChat({ url, key }, { model, stream: true, ...body })).status).toBe(200)
    return hostNames.find((name, index) => hosts[name].requests.length > (before[index] ?? 0))
  }

  it('[ROUTE-11][ROUTE-23] are sorted by the other, by first token and by speed', async () => {
    expect(await served(other.url, { provider: { sort: 'latency' } })).toBe('deepinfra')
    for (const vendor of hostNames) {
      for (let call = 0; call < 4; call += 1) {
        await answerAt(gateway.as(key), hosts[vendor], { vendor, ...paces[vendor] })
      }
    }
    await expect.poll(() => measuredHosts(other.url)).toEqual([...hostNames].toSorted())
    expect(await served(other.url, {})).toBe('deepinfra')
    expect(await served(other.url, { provider: { sort: 'latency' } })).toBe('together')
    expect(await served(other.url, { provider: { sort: { by: 'latency', partition: 'none' } } })).toBe('together')
    expect(await served(other.url, { provider: { sort: 'throughput' } })).toBe('groq')
    expect(await served(other.url, { model: `${model}:nitro` })).toBe('groq')
  })

  it('[ROUTE-10] are sorted by their input price where the name asks for the cheapest', async () => {
    // Per million input tokens: deepinfra 0.04, together 0.06, groq 0.1 USD.
    expect(await served(other.url, { model: `${model}:floor` })).toBe('deepinfra')
    expect(await served(other.url, { model: `${model}:floor`, provider: { ignore: ['deepinfra'] } })).toBe('together')
    expect(await served(other.url, { provider: { sort: 'price', ignore: ['deepinfra'] } })).toBe('together')
  })

  it('show what was measured beside the model', async () => {
    const endpoints = await endpointsOf(other.url)
    const worst = endpoints.find(({ provider_name }) => provider_name === 'deepinfra')
    const unused = endpoints.find(({ provider_name }) => provider_name === 'fireworks')
    // Figures are accurate to 5%. They include responses that took no time on the clock.
    expect(worst).toMatchObject({ latency_ms: { p95: expect.closeTo(2_000, -2) } })
    expect(worst).toMatchObject({ tokens_per_second: { median: expect.any(Number), p95: expect.any(Number) } })
    expect(unused).toMatchObject({ latency_ms: null, tokens_per_second: null })
  })
})

describe('a gateway without Redis', () => {
  it('[ROUTE-23] sorts by what it has measured itself', async () => {
    const gateway = await startTestGateway({ WEIR_REDIS_URL: 'redis://127.0.0.1:9' }, clock)
    const [slow, fast] = [await startSimulator(), await startSimulator()]
    await gateway.addProvider({ vendor: 'groq', url: `${slow.url}/v1`, pattern: model, priority: 0 })
    await gateway.addProvider({ vendor: 'together', url: `${fast.url}/v1`, pattern: model, priority: 1 })
    const { key } = await gateway.createClient()
    for (let call = 0; call < 3; call += 1) {
      await answerAt(gateway.as(key), slow, { vendor: 'groq', ...paces.groq })
      await answerAt(gateway.as(key), fast, { vendor: 'together', ...paces.together })
    }
    await expect.poll(() => measuredHosts(gateway.url)).toEqual(['groq', 'together'])
    await callChat(gateway.as(key), { model, stream: true, provider: { sort: 'latency' } })
    expect([slow.requests.length, fast.requests.length]).toEqual([0, 1])
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
