import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type ChatWorld, errorOf, startChatWorld } from './chat-world.ts'

const long = 'long '.repeat(200_000)

describe('what POST /v1/chat/completions refuses with 402', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  it('[ERR-13] a wallet that can not cover the hold: says to top up, and how much output it affords', async () => {
    const caller = await world.caller({ usd: '0.0012' })
    const refused = await world.chat({ max_tokens: 100_000 }, { as: caller })
    expect(refused.status).toBe(402)
    const { code, message } = errorOf(refused)
    expect(code).toBe('insufficient_credits')
    expect(message).toMatch(/top up/i)
    expect(world.upstreamCalls()).toBe(0)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual({ balance: '0.0012', held: '0', charged: '0' })
    // The figure in the message is exact: that many tokens are admitted, and one more is not.
    const tokens = Number(/enough for (\d+) output tokens/.exec(String(message))?.[1])
    expect(tokens).toBeGreaterThan(0)
    expect((await world.chat({ max_tokens: tokens + 1 }, { as: caller })).status).toBe(402)
    expect((await world.chat({ max_tokens: tokens }, { as: caller })).status).toBe(200)
  })

  it('[ERR-13] an empty wallet', async () => {
    const caller = await world.caller({ usd: '0' })
    for (const stream of [false, true]) {
      const refused = await world.chat({ stream }, { as: caller })
      expect(refused.status).toBe(402)
      expect(errorOf(refused)).toMatchObject({
        code: 'insufficient_credits',
        message: expect.stringContaining(' 0 output'),
      })
    }
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each([1_000_000_000, 1_000_000_000_000, Number.MAX_SAFE_INTEGER])(
    '[ERR-13] a cap of %d tokens, which no wallet covers, without harm to others',
    async (cap) => {
      const [poor, other] = await Promise.all([world.caller(), world.caller()])
      const [refused, ...served] = await Promise.all([
        world.chat({ max_tokens: cap, n: 128 }, { as: poor }),
        world.chat({}, { as: other }),
        world.chat({}, { as: other }),
      ])
      expect(refused.status, refused.text).toBe(402)
      expect(served.map(({ status }) => status)).toEqual([200, 200])
    },
  )

  it.each([
    [
      'a part that only some upstreams read',
      { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: long }] }] },
    ],
    ['what the model thought before', { messages: [{ role: 'assistant', content: 'x', reasoning: long }] }],
    ['a schema', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { about: long } } } }],
    ['tools', { tools: [{ type: 'function', function: { name: 'x', description: long } }] }],
  ] satisfies [string, JsonObject][])(
    '[ERR-13] a prompt that can not be paid for, hidden in %s',
    async (_name, body) => {
      const caller = await world.caller({ usd: '0.1' })
      const refused = await world.chat({ max_tokens: 1, ...body }, { as: caller })
      expect(refused.status, refused.text.slice(0, 500)).toBe(402)
      expect(world.upstreamCalls()).toBe(0)
    },
  )

  it('[HEAD-06] carries no rate-limit header', async () => {
    const caller = await world.caller({ usd: '0' })
    const refused = await world.chat({}, { as: caller })
    expect(refused.status).toBe(402)
    expect([...refused.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  })
})
