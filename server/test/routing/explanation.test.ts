import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodySeenBy, type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'

let world: ChatWorld
beforeAll(async () => {
  world = await startChatWorld()
  // A second and a third provider of OpenAI's models, tried after the first.
  const { gateway, openai, groq, openrouter } = world
  const pattern = 'openai/gpt-5.2'
  await gateway.addProvider({ vendor: 'openai', name: 'first', url: `${openai.url}/v1`, pattern, priority: 1 })
  await gateway.addProvider({ vendor: 'openrouter', name: 'second', url: `${openrouter.url}/v1`, pattern, priority: 2 })
  await gateway.addProvider({ vendor: 'groq', name: 'third', url: `${groq.url}/v1`, pattern, priority: 3 })
})
afterAll(() => world.close())

async function generationOf(key: string, headers: Headers): Promise<Record<string, unknown>> {
  const id = headers.get('x-generation-id') ?? ''
  return (await world.gateway.as(key).get(`/v1/generation?id=${id}`)).data
}

it('[ROUTE-17] a call that failed over tells who was considered, who was left out by which rule, and who was asked', async () => {
  const caller = await world.caller()
  world.openai.playNext(serverError(500))
  const reply = await world.chat({ model: 'openai/gpt-5.2', provider: { ignore: ['groq'] } }, { as: caller })
  expect(reply.status).toBe(200)
  const generation = await generationOf(caller.key, reply.headers)
  expect(generation).toMatchObject({
    is_failover: true,
    provider: 'openrouter',
    routing: {
      candidates: [
        { model: 'openai/gpt-5.2', provider: 'openai', prompt_price_usd: '0.0000015', would_cost: expect.any(Number) },
        { model: 'openai/gpt-5.2', provider: 'openrouter', prompt_price_usd: expect.any(String) },
      ],
      excluded: [{ model: 'openai/gpt-5.2', provider: 'groq', rule: 'ignore' }],
      attempts: [
        { provider: 'openai', outcome: 'upstreamUnavailable', status: 500 },
        { provider: 'openrouter', outcome: 'answered', status: 200 },
      ],
      auto_tier: null,
    },
  })
  const [listed] = (await world.gateway.as(caller.key).get('/v1/generations')).json.data as { attempt_count: number }[]
  expect(listed).toMatchObject({ is_failover: true, attempt_count: 2 })
  // The estimate of the serving candidate equals the charge.
  const { candidates } = generation['routing'] as { candidates: { provider: string; would_cost: number }[] }
  expect(candidates.find(({ provider }) => provider === 'openrouter')?.would_cost).toBe(generation['total_cost'])
  const { held, charged, returned } = generation['hold'] as Record<'held' | 'charged' | 'returned', number>
  expect(charged).toBe(generation['total_cost'])
  expect(held).toBeGreaterThan(charged)
  expect(charged + returned).toBeCloseTo(held, 9)
})

it('[ROUTE-14] models are tried in the order of the list, and the one that answers is named and charged', async () => {
  const caller = await world.caller()
  world.groq.playNext(serverError(503))
  const models = ['meta-llama/llama-3.3-70b-instruct', 'openai/gpt-5.2']
  const reply = await world.chat(
    { model: models[0] ?? '', models, provider: { only: ['groq', 'openai'] } },
    { as: caller },
  )
  expect(reply.status).toBe(200)
  expect(reply.json.model).toBe('openai/gpt-5.2')
  const generation = await generationOf(caller.key, reply.headers)
  expect(generation).toMatchObject({ model: 'openai/gpt-5.2', is_failover: true })
})

it('[ROUTE-14] a retired model in the list is passed over, and the record says why', async () => {
  const caller = await world.caller()
  const models = ['openai/gpt-4-32k', 'openai/gpt-5.2']
  const reply = await world.chat({ model: 'openai/gpt-5.2', models, provider: { only: ['openai'] } }, { as: caller })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json.model).toBe('openai/gpt-5.2')
  expect(await generationOf(caller.key, reply.headers)).toMatchObject({
    routing: { excluded: expect.arrayContaining([{ model: 'openai/gpt-4-32k', provider: null, rule: 'retired' }]) },
  })
})

it('[ROUTE-14] a list of twenty models is taken, and one of 21 is refused before anybody is asked', async () => {
  const models = Array.from({ length: 20 }, () => 'openai/gpt-5.2')
  expect((await world.chat({ models })).status).toBe(200)
  world.forget()
  const refused = await world.chat({ models: [...models, 'openai/gpt-5.2'] })
  expect([refused.status, refused.json.error]).toMatchObject([400, { message: expect.stringContaining('at most 20') }])
  expect(world.upstreamCalls()).toBe(0)
})

it('[ROUTE-18] `route` is passed on to a gateway behind this one, and to nobody else', async () => {
  const caller = await world.caller()
  const ask = { model: 'openai/gpt-5.2', route: 'fallback' }
  const seen = async (upstream: typeof world.openai, provider: string): Promise<unknown> => {
    upstream.forget()
    expect((await world.chat({ ...ask, provider: { only: [provider] } }, { as: caller })).status).toBe(200)
    return bodySeenBy(upstream).route
  }
  expect(await seen(world.openrouter, 'openrouter')).toBe('fallback')
  expect(await seen(world.openai, 'openai')).toBeUndefined()
  expect(await seen(world.groq, 'groq')).toBeUndefined()
})

it('[ROUTE-17] [ROUTE-18] a call that was answered at once is no failover, whatever `route` says', async () => {
  const caller = await world.caller()
  const reply = await world.chat({ model: 'openai/gpt-5.2', route: 'fallback' }, { as: caller })
  expect(await generationOf(caller.key, reply.headers)).toMatchObject({ is_failover: false, provider: 'openai' })
})

it('D1: [ROUTE-17] a call that passes over a model with an open circuit is a failover', async () => {
  const callers = [await world.caller(), await world.caller()]
  const records: Record<string, unknown>[] = []
  for (const caller of Array.from({ length: 6 }, () => callers).flat()) {
    const reply = await world.chat({ model: 'test/error-500', models: ['test/echo'] }, { as: caller })
    records.push(await generationOf(caller.key, reply.headers))
  }
  const skipped = records.filter(({ routing }) => (routing as { excluded: unknown[] }).excluded.length > 0)
  expect(skipped.length).toBeGreaterThan(0)
  expect(records.map(({ is_failover }) => is_failover)).toEqual(records.map(() => true))
})

it('[ROUTE-20] [ROUTE-22] nobody else is asked than who may be', async () => {
  const caller = await world.caller()
  world.forget()
  const nobody = await world.chat({ model: 'openai/gpt-5.2', provider: { only: ['anthropic'] } }, { as: caller })
  expect(nobody.status).toBe(503)
  expect(world.upstreamCalls()).toBe(0)
  world.openai.playNext(serverError(400))
  const alone = await world.chat({ model: 'openai/gpt-5.2', provider: { allow_fallbacks: false } }, { as: caller })
  expect(alone.status).toBeGreaterThanOrEqual(400)
  expect(world.openrouter.requests.length + world.groq.requests.length).toBe(0)
})
