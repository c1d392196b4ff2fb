import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { listRoutes } from './list-routes.ts'

describe("the mount with OpenRouter's shapes", () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const chatPath = '/openrouter/v1/chat/completions'
  const say = { model: 'openai/gpt-5.2', messages: hello }

  it('[NEXT-240] serves every inference endpoint and what its clients read, and nothing else', () => {
    const paths = listRoutes(world.gateway.gateway.server).map(({ method, path }) => `${method} ${path}`)
    const mounted = paths.filter((path) => path.includes(' /openrouter/')).sort()
    expect(mounted.map((path) => path.replace('/openrouter/v1/', ''))).toEqual([
      'GET auth/key',
      'GET credits',
      'GET generation',
      'GET images/models',
      'GET images/proxy/:token',
      'GET key',
      'GET models',
      'GET models/:slug|:author',
      'GET models/:slug|:author/:slug',
      'GET models/:slug|:author/:slug/endpoints',
      'GET models/:slug|:author/endpoints',
      'GET video/generations/:jobId',
      'GET video/generations/:jobId/content',
      'GET videos',
      'GET videos/:jobId',
      'GET videos/:jobId/content',
      'HEAD images/proxy/:token',
      'POST audio/speech',
      'POST audio/transcriptions',
      'POST audio/translations',
      'POST chat/completions',
      'POST completions',
      'POST embeddings',
      'POST fim/completions',
      'POST images/edits',
      'POST images/generations',
      'POST messages',
      'POST moderations',
      'POST rerank',
      'POST responses',
      'POST videos',
    ])
    for (const path of mounted) expect(paths).toContain(path.replace('/openrouter/v1/', '/v1/'))
  })

  it('[NEXT-240] answers a completion with a fingerprint or null, and otherwise as under /v1', async () => {
    const caller = world.gateway.as(await world.caller())
    const [ours, theirs] = [await caller.post('/v1/chat/completions', say), await caller.post(chatPath, say)]
    expect([ours.status, theirs.status]).toEqual([200, 200])
    expect(theirs.json.choices).toEqual(ours.json.choices)
    expect(theirs.json.usage).toEqual(ours.json.usage)
    expect(theirs.json.system_fingerprint).toBe(ours.json.system_fingerprint)
    const echo = { ...say, model: 'test/echo' }
    expect((await caller.post('/v1/chat/completions', echo)).json).not.toHaveProperty('system_fingerprint')
    expect((await caller.post(chatPath, echo)).json.system_fingerprint).toBeNull()
  })

  it('[NEXT-241] states every price per token', async () => {
    const anyone = world.gateway.as()
    const ours = await anyone.get('/v1/models')
    const theirs = await anyone.get('/openrouter/v1/models')
    const [perMillion, perToken] = [pricesIn(ours.text), pricesIn(theirs.text)]
    expect(perToken.size).toBe(perMillion.size)
    expect(perMillion.get('openai/gpt-5.2')?.prompt).toBe('1.5')
    expect(perToken.get('openai/gpt-5.2')?.prompt).toBe('0.0000015')
    expect(perToken.get('openai/gpt-5.2')?.web_search).toBe(perMillion.get('openai/gpt-5.2')?.web_search)
    const model = await anyone.get('/openrouter/v1/models/openai/gpt-5.2')
    expect(model.json).toMatchObject({ data: { pricing: { prompt: '0.0000015' } } })
    const offers = await anyone.get('/openrouter/v1/models/openai/gpt-5.2/endpoints')
    const { data } = JSON.parse(offers.text) as { data: { endpoints: { pricing: ShownPrices }[] } }
    expect(data.endpoints.length).toBeGreaterThan(0)
    for (const { pricing } of data.endpoints) expect(Number(pricing.prompt)).toBeLessThan(0.001)
  })

  it.each([
    ['no key', 401, {}, 'authentication', 'unauthenticated'],
    ['no credit', 402, {}, 'payment_required', 'insufficient_credits'],
    ['a bad field', 400, { temperature: 3 }, 'invalid_request', 'malformed_request'],
    ['an unknown model', 400, { model: 'nobody/nothing' }, 'invalid_request', 'unknown_model'],
  ])(
    '[NEXT-242] refuses %s with the status as code, its kind and its reason',
    async (kind, status, fields, type, reason) => {
      const caller = kind === 'no key' ? undefined : await world.caller({ usd: kind === 'no credit' ? '0' : '1' })
      const refused = await world.gateway.as(caller).post(chatPath, { ...say, ...fields })
      expect(refused.status).toBe(status)
      const message = expect.any(String)
      expect(refused.json).toEqual({ error: { code: status, message, metadata: { error_type: type, reason } } })
      expect(refused.headers.get('x-weir-error')).toBe(reason)
    },
  )

  it('[NEXT-242] ends a stream that fails with a chunk that states the error', async () => {
    const caller = world.gateway.as(await world.caller())
    const failed = await caller.post(chatPath, { ...say, model: 'test/stream-error', stream: true })
    const frames = failed.text.trim().split('\n\n')
    expect(frames.at(-1)).toBe('data: [DONE]')
    const last = JSON.parse(frames.at(-2)?.slice('data: '.length) ?? '')
    expect(last).toMatchObject({
      id: failed.headers.get('x-generation-id'),
      object: 'chat.completion.chunk',
      model: 'test/stream-error',
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      error: { code: 502, metadata: { error_type: 'provider_unavailable' } },
    })
  })

  it.each([
    ['/v1/chat/completions', 400, 'malformed_request', { ...say, temperature: 3 }],
    ['/v1/responses', 400, 'unknown_model', { model: 'nobody/nothing', input: 'Hi' }],
    ['/v1/messages', 400, 'unknown_model', { model: 'nobody/nothing', max_tokens: 5, messages: hello }],
    ['/v1/embeddings', 400, 'unknown_model', { model: 'nobody/nothing', input: 'Hi' }],
    ['/v1/rerank', 400, 'unknown_model', { model: 'nobody/nothing', query: 'a', documents: ['b'] }],
    ['/v1/images/generations', 400, 'unknown_model', { model: 'nobody/nothing', prompt: 'a' }],
    ['/v1/nothing', 404, 'not_found', {}],
  ])('[NEXT-243] %s says why it refused in X-Weir-Error', async (path, status, reason, body) => {
    const refused = await world.gateway.as(await world.caller()).post(path, body)
    expect([refused.status, refused.headers.get('x-weir-error')]).toEqual([status, reason])
  })

  it('[NEXT-244] adds to a key and a generation what OpenRouter tells, and costs in place of counts', async () => {
    const caller = world.gateway.as(await world.caller())
    const { json } = await caller.post(chatPath, say)
    await expect.poll(async () => (await caller.get(`/v1/generation?id=${json.id}`)).status).toBe(200)
    const [ours, theirs] = [
      await caller.get(`/v1/generation?id=${json.id}`),
      await caller.get(`/openrouter/v1/generation?id=${json.id}`),
    ]
    const [our, their] = [ours.text, theirs.text].map((text) => (JSON.parse(text) as { data: JsonObject }).data)
    expect(their).toMatchObject({ usage: our?.total_cost, usage_details: our?.usage, total_cost: our?.total_cost })
    const key = await caller.get('/openrouter/v1/key')
    expect(key.json).toMatchObject({ data: { byok_usage: 0, organization_id: null, usage: our?.total_cost } })
  })
})

interface ShownPrices {
  prompt: string
  web_search?: string
}

function pricesIn(text: string): ReadonlyMap<string, ShownPrices> {
  const { data } = JSON.parse(text) as { data: { id: string; pricing: ShownPrices }[] }
  return new Map(data.map(({ id, pricing }) => [id, pricing]))
}
