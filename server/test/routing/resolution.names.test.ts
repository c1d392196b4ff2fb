import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { ask, type EndpointName, endpointNames, modelRecord, startResolutionGateway } from './resolution-world.ts'

const variants = ['free', 'extended', 'thinking', 'exacto'] as const
const free = { pricing: { prompt: '0', completion: '0' } }
const models = [
  modelRecord('acme/solo'),
  ...variants.map((suffix) => modelRecord(`acme/solo:${suffix}`, suffix === 'free' ? free : {})),
  modelRecord('acme/plain'),
  modelRecord('acme/twin'),
  modelRecord('other/twin'),
  modelRecord('openai/gpt-short'),
  modelRecord('anthropic/claude-short'),
  ...[1, 2, 3, 4].map((number) => modelRecord(`acme/nearby-${number}`)),
]

describe('the name of a model', () => {
  let gateway: TestGateway
  let upstream: Simulator
  let caller: { key: string; walletId: string }

  beforeAll(async () => {
    gateway = await startResolutionGateway(models)
    upstream = await startSimulator()
    await gateway.addProvider({ vendor: 'together', url: `${upstream.url}/v1` })
    caller = await gateway.createClient()
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  const call = (endpoint: EndpointName, model: string) => ask(gateway.as(caller), endpoint, model)

  async function expectServed(endpoint: EndpointName, name: string, id: string): Promise<Reply> {
    upstream.forget()
    const asked = await call(endpoint, name)
    expect(asked.status, `${endpoint} ${name}: ${asked.text}`).toBe(200)
    expect(asked.json.model).toBe(id)
    const { body } = upstream.requests[0] ?? { body: null }
    expect(isJsonObject(body) && body.model).toBe(`upstream ${id}`)
    return asked
  }

  it.each(endpointNames)('[ROUTE-01] is the full id on %s', async (endpoint) => {
    await expectServed(endpoint, 'acme/solo', 'acme/solo')
    await expectServed(endpoint, 'Acme/SOLO', 'acme/solo')
  })

  it.each(endpointNames)('[ROUTE-02] needs no provider where it begins gpt- or claude-, on %s', async (endpoint) => {
    await expectServed(endpoint, 'gpt-short', 'openai/gpt-short')
    await expectServed(endpoint, 'claude-short', 'anthropic/claude-short')
    await expectServed(endpoint, 'gpt-short:floor', 'openai/gpt-short')
  })

  it('[ROUTE-03] may be bare on chat where one provider has it, and not where several have', async () => {
    await expectServed('chat', 'plain', 'acme/plain')
    await expectServed('chat', 'solo:exacto', 'acme/solo:exacto')
    const twin = await call('chat', 'twin')
    expect(twin).toMatchObject({ status: 400, json: { error: { code: 'unknown_model' } } })
    expect(twin.text).toContain('acme/twin')
    expect(twin.text).toContain('other/twin')
  })

  it.each(['responses', 'messages'] as const)('[ROUTE-04] may not be bare on %s', async (endpoint) => {
    upstream.forget()
    expect((await call(endpoint, 'plain')).status).toBe(400)
    expect((await call(endpoint, 'solo:exacto')).status).toBe(400)
    expect(upstream.requests).toEqual([])
  })

  it.each(variants)('[ROUTE-08] with :%s is that entry, or else the base model', async (suffix) => {
    for (const endpoint of endpointNames) {
      await expectServed(endpoint, `acme/solo:${suffix}`, `acme/solo:${suffix}`)
      await expectServed(endpoint, `acme/plain:${suffix}`, 'acme/plain')
    }
  })

  it('[ROUTE-09] with :free is charged like the base model where there is no free entry', async () => {
    const paid = await expectServed('chat', 'acme/plain', 'acme/plain')
    const suffixed = await expectServed('chat', 'acme/plain:free', 'acme/plain')
    expect(costOf(paid)).toBeGreaterThan(0)
    expect(costOf(suffixed)).toBe(costOf(paid))
    const before = await gateway.walletOf(caller.walletId)
    expect(costOf(await expectServed('chat', 'acme/solo:free', 'acme/solo:free'))).toBe(0)
    expect(await gateway.walletOf(caller.walletId)).toEqual(before)
  })

  it.each(endpointNames)('[ERR-14] that is nothing is refused on %s, with the three nearest ids', async (endpoint) => {
    const { status, json, text } = await call(endpoint, 'acme/nearby-9')
    expect(status).toBe(400)
    const hint = /Did you mean (.*?)\?/.exec(text)?.[1]?.replaceAll('\\"', '')
    expect(hint).toBe('acme/nearby-1, acme/nearby-2, acme/nearby-3')
    expect((await call(endpoint, 'deepseek/deepseek-v3.3')).text).toContain('deepseek/deepseek-v3.2')
    expect(json).toMatchObject({ error: { code: 'unknown_model' } })
  })

  it('[ERR-14] that is like none is refused without a guess', async () => {
    const { status, text } = await call('chat', 'zzzzzzzz/qqqqqqqqqqqqqqqq')
    expect(status).toBe(400)
    expect(text).not.toContain('Did you mean')
    expect(text).toContain('/v1/models')
  })

  it.each(['openai/', '/x', 'a name', 'open ai/gpt', 'openai//gpt', '', 'openai/gpt\n', 'openai/gpt?'])(
    '[ERR-15] can not be %j',
    async (name) => {
      upstream.forget()
      for (const endpoint of endpointNames) {
        const { status, error } = await call(endpoint, name)
        expect([endpoint, status, error.code]).toEqual([endpoint, 400, 'invalid_model_id'])
      }
      expect(upstream.requests).toEqual([])
    },
  )

  it.each(endpointNames)('[ERR-16] of a retired model is refused with 410 on %s', async (endpoint) => {
    const { status, json, text } = await call(endpoint, 'openai/gpt-4-32k')
    expect(status).toBe(410)
    expect(text).toContain('retired')
    expect(json).toMatchObject({ error: { code: 'model_retired', type: 'model_not_available' } })
    expect((await call(endpoint, 'gpt-4-32k')).status).toBe(410)
  })
})

function costOf({ json }: Reply): number {
  return isJsonObject(json.usage) && typeof json.usage.cost === 'number' ? json.usage.cost : Number.NaN
}
