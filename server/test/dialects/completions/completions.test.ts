import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { talkModel } from '#test/oracle/oracle-world.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { addModels } from '#test/setup/add-models.ts'
import { completionsUpstream } from '#test/simulators/completions-upstream.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

// Two tokens of a prompt at a dollar for a million, and three of a completion at two dollars.
const usd = 0.000008
const [native, chat, gaps] = ['acme/native', 'acme/chat', 'acme/gaps']

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice('data: '.length)))

describe('POST /v1/completions', () => {
  let world: OrganizationWorld
  let upstream: MediaUpstream
  let home: TestHome
  let key: string
  let client: Awaited<ReturnType<OrganizationWorld['createClient']>>
  beforeAll(async () => {
    world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000' })
    upstream = await startMediaUpstream(completionsUpstream)
    const url = `${upstream.url}/v1`
    await world.addProvider({ vendor: 'vllm', name: 'native', url, pattern: native })
    await world.addProvider({ vendor: 'groq', name: 'chat', url, pattern: chat })
    await world.addProvider({ vendor: 'vllm', name: 'no-gaps', url, pattern: gaps })
    await world.addProvider({ vendor: 'ollama', name: 'gaps', url, pattern: gaps, priority: 1 })
    await addModels(world, [talkModel(native, 'vllm'), talkModel(chat, 'groq'), talkModel(gaps, 'ollama')])
  })
  beforeEach(async () => {
    home = await world.newOrganization()
    key = (await world.addOrganizationKey(home.id)).key
    client = await world.createClient({ usd: '1' })
    upstream.play(completionsUpstream)
    upstream.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
  })

  const ask = (body: JsonObject, headers: Record<string, string> = {}) =>
    world.as(client).post('/v1/completions', { prompt: 'Once upon', ...body }, { headers })

  it('[NEXT-140] [NEXT-141] continues a prompt at a provider with this API, and charges its tokens', async () => {
    const reply = await ask({ model: native, max_tokens: 9, logprobs: 1 })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json).toMatchObject({
      id: reply.headers.get('x-generation-id'),
      object: 'text_completion',
      model: native,
      choices: [{ index: 0, text: ' a time', logprobs: { tokens: [' a', ' time'] }, finish_reason: 'length' }],
      usage: { prompt_tokens: 2, completion_tokens: 3, cost: usd },
    })
    expect(reply.headers.get('x-weir-translated')).toBeNull()
    expect(upstream.calls.map(({ path }) => path)).toEqual(['/v1/completions'])
    expect(upstream.calls[0]?.json).toEqual({
      model: 'native',
      prompt: 'Once upon',
      max_tokens: 9,
      logprobs: 1,
      stream: false,
    })
    expect(await world.walletOf(client.walletId)).toMatchObject({ held: '0', charged: '0.000008' })
  })

  it('[NEXT-141] sends the prompt as a message elsewhere, and says so', async () => {
    const reply = await ask({ model: chat, echo: true })
    expect(reply.json).toMatchObject({
      choices: [{ text: 'Once upon a time', logprobs: null, finish_reason: 'stop' }],
      usage: { cost: usd },
    })
    expect(reply.headers.get('x-weir-translated')).toBe('chat')
    expect(upstream.calls.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
    expect(upstream.calls[0]?.json).toMatchObject({
      messages: [{ role: 'user', content: 'Once upon' }],
      max_tokens: 16,
    })
    expect(upstream.calls[0]?.json).not.toHaveProperty('echo')
  })

  it.each([native, chat])('[NEXT-140] streams the answer of %s, with the cost in its last chunk', async (model) => {
    const reply = await ask({ model, stream: true })
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = eventsOf(reply.text)
    expect(events.map(({ choices }) => choices[0].text).join('')).toBe(' a time')
    expect(events.at(-1)).toMatchObject({
      object: 'text_completion',
      choices: [{ finish_reason: expect.any(String) }],
      usage: { prompt_tokens: 2, cost: usd },
    })
    expect(reply.text.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(reply.headers.get('x-weir-translated')).toBe(model === chat ? 'chat' : null)
    expect(await world.walletOf(client.walletId)).toMatchObject({ held: '0', charged: '0.000008' })
  })

  it('[NEXT-142] fills a gap at the provider that can, after one that cannot', async () => {
    const reply = await ask({ model: gaps, suffix: ' there was' })
    expect(reply.status, reply.text).toBe(200)
    expect(upstream.calls).toHaveLength(1)
    expect(upstream.calls[0]?.json).toMatchObject({ prompt: 'Once upon', suffix: ' there was' })
  })

  it.each([native, chat])('[NEXT-142] answers 400 for a gap that %s cannot fill, without a charge', async (model) => {
    for (const stream of [false, true]) {
      const reply = await ask({ model, suffix: ' there was', stream })
      expect([reply.status, reply.json.error]).toMatchObject([400, { code: 'unsupported_param' }])
      expect(reply.text).toContain('`suffix`')
    }
    expect(upstream.calls).toHaveLength(0)
    expect(await world.walletOf(client.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('[NEXT-141] completes several prompts at once where the provider can, and says where it cannot', async () => {
    const prompt = ['One', 'Two']
    const reply = await ask({ model: native, prompt, echo: true })
    expect(reply.json.choices).toMatchObject([{ text: 'One a time' }, { text: 'Two a time' }])
    const refused = await ask({ model: chat, prompt })
    expect([refused.status, refused.json.error]).toMatchObject([400, { code: 'unsupported_param' }])
  })

  it('[NEXT-144] shows providers only what content filters leave of prompt and suffix', async () => {
    const rule = { name: 'rule', action: 'redact', matcher: { kind: 'keyword', keyword: 'falcon' } }
    expect((await home.admin.post(`/api/orgs/${home.id}/content-filters`, rule)).status).toBe(201)
    const body = { model: gaps, prompt: 'A falcon', suffix: ' my falcon', echo: true }
    const reply = await world.as(key).post('/v1/completions', body)
    expect(reply.status, reply.text).toBe(200)
    expect(upstream.calls[0]?.json).toMatchObject({ prompt: 'A [REDACTED]', suffix: ' my [REDACTED]' })
    expect(reply.text).not.toContain('falcon')
  })

  it('[NEXT-140] is replayed under its idempotency key, and charged once', async () => {
    const headers = { 'idempotency-key': 'once-1' }
    const first = await ask({ model: chat, stream: true }, headers)
    const again = await ask({ model: chat, stream: true }, headers)
    expect(again.text).toBe(first.text)
    expect(upstream.calls).toHaveLength(1)
    expect(await world.walletOf(client.walletId)).toMatchObject({ charged: '0.000008' })
  })

  it('[NEXT-140] has a quote, a customer and tags', async () => {
    const quote = await world.as(client).post('/v1/quote', { model: native, prompt: 'Once upon', max_tokens: 1_000 })
    expect(quote.json).toMatchObject({ endpoint: '/v1/completions', allowed: true })
    const headers = { 'x-weir-customer': 'acme', 'x-weir-tags': 'feature=write' }
    const reply = await ask({ model: native }, headers)
    const { json } = await world.as(client).get(`/v1/generation?id=${String(reply.json.id)}`)
    expect(json.data).toMatchObject({ customer: 'acme', tags: { feature: 'write' }, total_cost: usd })
  })

  it.each([false, true])(
    '[NEXT-249] fills a gap in the words of Mistral, and answers as chat does: %s',
    async (stream) => {
      const body = { model: gaps, prompt: 'Once upon', suffix: ' there was', stream }
      const reply = await world.as(client).post('/v1/fim/completions', body)
      expect(reply.status, reply.text).toBe(200)
      expect(upstream.calls[0]?.json).toMatchObject({ prompt: 'Once upon', suffix: ' there was', max_tokens: 256 })
      const [first, last] = stream ? [eventsOf(reply.text)[0], eventsOf(reply.text).at(-1)] : [reply.json, reply.json]
      const said = stream
        ? eventsOf(reply.text).map(({ choices }) => choices[0].delta.content ?? '')
        : [JSON.parse(reply.text).choices[0].message.content]
      expect(said.join('')).toBe(' a time')
      expect(first.object).toBe(stream ? 'chat.completion.chunk' : 'chat.completion')
      expect(last.usage).toMatchObject({ prompt_tokens: 2, cost: usd })
    },
  )

  it('[NEXT-249] is no completion to the cache, nor to a retry', async () => {
    const body = { model: native, prompt: 'Once upon', cache: true }
    expect((await ask(body)).json.object).toBe('text_completion')
    const gap = await world.as(client).post('/v1/fim/completions', body)
    expect(gap.json.object).toBe('chat.completion')
    const headers = { 'idempotency-key': 'twice-1' }
    await ask({ model: native }, headers)
    const other = await world
      .as(client)
      .post('/v1/fim/completions', { prompt: 'Once upon', model: native }, { headers })
    expect(other.status).toBe(409)
  })

  it('[NEXT-249] refuses what only completions know', async () => {
    for (const field of [{ echo: true }, { logprobs: 1 }]) {
      const reply = await world.as(client).post('/v1/fim/completions', { model: native, prompt: 'a', ...field })
      expect([reply.status, reply.json.error]).toMatchObject([400, { code: 'unsupported_param' }])
    }
  })

  it('[NEXT-140] is answered by test models for nothing', async () => {
    const reply = await ask({ model: 'test/echo' })
    expect(reply.json).toMatchObject({ choices: [{ text: expect.stringContaining('Once upon') }], usage: { cost: 0 } })
    expect(reply.headers.get('x-weir-translated')).toBe('chat')
  })

  it('[NEXT-140] is not for models of other kinds', async () => {
    const reply = await ask({ model: 'test/embedding' })
    expect([reply.status, reply.json.error]).toMatchObject([400, { code: 'embedding_on_chat_endpoint' }])
  })
})
