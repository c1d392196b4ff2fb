import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { addModels } from '#test/setup/add-models.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const priced = {
  prompt: '0.000002',
  completion: '0.000008',
  flex_prompt: '0.000001',
  flex_completion: '0.000004',
  priority_prompt: '0.000004',
  priority_completion: '0.000016',
}

/** A chat upstream that serves every request in this tier, whatever was requested. */
function serving(tier: string) {
  return ({ json }: { json: JsonObject }) => {
    const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'gpt', service_tier: tier }
    if (json.stream !== true) {
      const message = { role: 'assistant', content: 'Hello' }
      return {
        body: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
      }
    }
    const chunks = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }], usage: null },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null },
      { choices: [], usage },
    ].map((chunk) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
    return { headers: { 'content-type': 'text/event-stream' }, body: `${chunks.join('')}data: [DONE]\n\n` }
  }
}

describe('a service tier', () => {
  let gateway: TestGateway
  let upstream: MediaUpstream
  let caller: TestClient

  beforeAll(async () => {
    upstream = await startMediaUpstream(serving('default'))
    gateway = await startTestGateway()
    const plain = { prompt: priced.prompt, completion: priced.completion }
    const model = { kind: 'chat', provider: 'openai', input_modalities: ['text'], output_modalities: ['text'] }
    await addModels(gateway, [
      { ...model, id: 'openai/tiered', pricing: priced, max_completion_tokens: 1_000 },
      { ...model, id: 'openai/untiered', pricing: plain, max_completion_tokens: 1_000 },
    ])
    const claude = { ...model, provider: 'anthropic', max_completion_tokens: 1_000 }
    await addModels(gateway, [
      { ...claude, id: 'anthropic/claude-tiered', pricing: priced },
      { ...claude, id: 'anthropic/claude-untiered', pricing: plain },
    ])
    await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
    await gateway.addProvider({ vendor: 'anthropic', url: `${upstream.url}/v1`, pattern: 'anthropic/*' })
  })
  beforeEach(async () => {
    caller = await gateway.createClient({ usd: '1' })
    upstream.calls.length = 0
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  async function ask(model: string, body: JsonObject) {
    const messages = [{ role: 'user', content: 'Hi' }]
    const reply = await gateway.as(caller).post('/v1/chat/completions', { model, messages, ...body })
    expect(reply.status, reply.text).toBe(200)
    const { charged, held } = await gateway.walletOf(caller.walletId)
    expect(held).toBe('0')
    const ignored = reply.headers.get('x-params-ignored')
    return { charged, ignored, sent: upstream.calls.at(-1)?.json.service_tier }
  }

  it.each([
    ['priority', 'priority', '0.0056'],
    ['fast', 'priority', '0.0056'],
    ['flex', 'flex', '0.0014'],
    // The provider had no capacity for the requested tier.
    ['priority', 'default', '0.0028'],
    // The client did not request the served tier.
    ['default', 'priority', '0.0028'],
    ['flex', 'priority', '0.0028'],
  ])(
    '[MONEY-01] that is asked for as %s and served as %s costs what was served, if that was asked for',
    async (asked, served, charged) => {
      upstream.play(serving(served))
      for (const stream of [false, true]) {
        caller = await gateway.createClient({ usd: '1' })
        expect(await ask('openai/tiered', { service_tier: asked, stream })).toEqual({
          charged,
          ignored: null,
          sent: asked,
        })
      }
    },
  )

  it('[MONEY-01] that costs more than the catalogue knows is not asked for, and named', async () => {
    upstream.play(serving('default'))
    expect(await ask('openai/untiered', { service_tier: 'priority' })).toEqual({
      charged: '0.0028',
      ignored: 'service_tier',
      sent: undefined,
    })
    expect(await ask('openai/untiered', { service_tier: 'flex' })).toMatchObject({ ignored: null, sent: 'flex' })
  })

  it('[MONEY-01] is held for at its own price', async () => {
    const poor = await gateway.createClient({ usd: '0.012' })
    const messages = [{ role: 'user', content: 'Hi' }]
    const body = { model: 'openai/tiered', messages, max_tokens: 1_000 }
    const post = (tier: string) => gateway.as(poor).post('/v1/chat/completions', { ...body, service_tier: tier })
    upstream.play(serving('priority'))
    expect((await post('priority')).status).toBe(402)
    upstream.play(serving('default'))
    expect((await post('default')).status).toBe(200)
  })

  it('is told by the receipt', async () => {
    upstream.play(serving('priority'))
    const messages = [{ role: 'user', content: 'Hi' }]
    const client = gateway.as(caller)
    const { json } = await client.post('/v1/chat/completions', {
      model: 'openai/tiered',
      messages,
      service_tier: 'priority',
    })
    const receipt = await client.get(`/v1/generation?id=${json.id}`)
    expect(receipt.status, receipt.text).toBe(200)
    expect(receipt.text).toContain('"service_tier":"priority"')
  })

  async function askClaude(model: string, body: JsonObject) {
    const messages = [{ role: 'user', content: 'Hi' }]
    const reply = await gateway.as(caller).post('/v1/messages', { model, messages, max_tokens: 500, ...body })
    const { charged } = await gateway.walletOf(caller.walletId)
    const sent = upstream.calls.at(-1)?.json
    return { status: reply.status, charged, ignored: reply.headers.get('x-params-ignored'), sent: sent?.speed }
  }

  it.each([
    ['tiered', 'fast', 'fast', '0.0056', null],
    ['tiered', 'fast', 'standard', '0.0028', null],
    ['tiered', 'standard', 'fast', '0.0028', null],
    ['untiered', 'fast', 'standard', '0.0028', 'speed'],
  ])(
    '[MONEY-01] of Claude (%s) is a speed: asked for as %s and served as %s it costs %s',
    async (name, speed, served, charged, ignored) => {
      upstream.play(() => ({ body: claudeAnswer(served) }))
      expect(await askClaude(`anthropic/claude-${name}`, { speed })).toEqual({
        status: 200,
        charged,
        ignored,
        sent: ignored === null ? speed : undefined,
      })
    },
  )

  it('[MONEY-01] a place of Claude that costs more is refused, and nobody is asked', async () => {
    const { status, charged } = await askClaude('anthropic/claude-tiered', { inference_geo: 'us' })
    expect([status, charged, upstream.calls.length]).toEqual([400, '0', 0])
  })
})

function claudeAnswer(speed: string): JsonObject {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1_000, output_tokens: 100, service_tier: 'standard', speed },
  }
}
