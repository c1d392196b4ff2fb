import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { hello } from '#test/setup/call-chat.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { type ChatWorld, errorOf, startChatWorld } from './chat-world.ts'

describe('what POST /v1/chat/completions refuses with 400', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function refusalOf(body: JsonObject): Promise<JsonObject> {
    const caller = await world.caller()
    const reply = await world.chat(body, { as: caller })
    expect(reply.status, reply.text).toBe(400)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
    return errorOf(reply)
  }

  it('[CHAT-02] an empty conversation', async () => {
    const error = await refusalOf({ messages: [] })
    expect(error.message).toContain('messages')
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each([
    ['not JSON', '{"model":'],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['nested without end', '['.repeat(100_000)],
    ['nested deeply and closed', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('[ERR-03] a body that is %s', async (_name, body) => {
    const response = await world.gateway.as(await world.caller()).post('/v1/chat/completions', body)
    expect(response.status).toBe(400)
    expect(response.json).toMatchObject({ error: { message: expect.any(String), code: 400 } })
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each(['model', 'messages'])('[ERR-06] a body without %s, by missing_required_field', async (name) => {
    for (const value of [undefined, null]) {
      const error = await refusalOf({ [name]: value })
      expect(error.code).toBe('missing_required_field')
      expect(error.message).toContain(name)
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each(['max_tokens', 'max_completion_tokens'])('[ERR-08] a wrong %s, by max_tokens_invalid', async (name) => {
    for (const value of [0, -1, 1.5, '100', true, [], 1e300]) {
      expect((await refusalOf({ [name]: value })).code, JSON.stringify(value)).toBe('max_tokens_invalid')
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[ERR-07] a parameter that the upstream rejects by name, by unsupported_param', async () => {
    const message = "Unsupported parameter: 'top_a' is not supported with this model."
    world.openai.playNext(
      jsonAnswer(400, {
        error: { message, type: 'invalid_request_error', param: 'top_a', code: 'unsupported_parameter' },
      }),
    )
    const error = await refusalOf({ top_a: 0.5 })
    expect(error.code).toBe('unsupported_param')
    expect(error.message).toContain('top_a')
    expect(world.openai.requests).toHaveLength(1)
  })

  it('[ERR-09] a prompt longer than the context, whoever finds out, by context_too_long', async () => {
    const words = 'word '.repeat(9_000)
    const messages = [{ role: 'user', content: words.repeat(8) }]
    const found = await refusalOf({
      model: 'openai/gpt-oss-20b',
      messages: [{ role: 'user', content: words.repeat(30) }],
    })
    expect(found.code).toBe('context_too_long')
    expect(world.upstreamCalls()).toBe(0)
    world.openai.playNext(vendorError('openai', 'context-too-long'))
    const told = await refusalOf({ model: 'openai/gpt-4o-mini', messages })
    expect(told.code).toBe('context_too_long')
    expect(world.openai.requests).toHaveLength(1)
  })

  it('[ERR-10] any other 4xx of the upstream, by unknown_4xx', async () => {
    for (const status of [400, 405, 418, 422]) {
      world.openai.playNext(
        jsonAnswer(status, { error: { message: 'Something odd.', type: 'invalid_request_error', code: null } }),
      )
      const error = await refusalOf({})
      expect(error.code, String(status)).toBe('unknown_4xx')
      expect(error.message).toContain('Something odd.')
    }
  })

  it('[ERR-12] a model without a price, by model_not_priced, without asking any upstream', async () => {
    const error = await refusalOf({ model: 'meta-llama/llama-guard-4-12b' })
    expect(error.code).toBe('model_not_priced')
    expect(world.upstreamCalls()).toBe(0)
  })

  it('messages that are no messages', async () => {
    for (const messages of [{}, 'hello', [null], ['hello'], [{ content: 'x' }], [{ role: 'user', content: 5 }]]) {
      await refusalOf({ messages })
    }
    for (const stream of ['true', 1, {}]) await refusalOf({ messages: hello, stream })
    expect(world.upstreamCalls()).toBe(0)
  })
})
