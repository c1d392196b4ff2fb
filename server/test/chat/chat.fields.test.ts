import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { bodySeenBy, type ChatWorld, errorOf, gemini, llama, startChatWorld, usageOf } from './chat-world.ts'

describe('the fields of POST /v1/chat/completions', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function expectAccepted(body: JsonObject, name: string): Promise<void> {
    const reply = await world.chat(body)
    expect(reply.status, reply.text).toBe(200)
    expect(bodySeenBy(world.openai)[name]).toEqual(body[name])
  }

  async function expectRefused(body: JsonObject): Promise<void> {
    world.forget()
    const reply = await world.chat(body)
    expect(reply.status, JSON.stringify(body)).toBe(400)
    expect(errorOf(reply).message).toEqual(expect.any(String))
    expect(world.upstreamCalls()).toBe(0)
  }

  it.each([
    ['[CHAT-04]', 'temperature', [0, 2], [-0.1, 2.1, 'hot']],
    ['[CHAT-12]', 'frequency_penalty', [-2, 2], [-2.1, 2.1]],
    ['[CHAT-12]', 'presence_penalty', [-2, 2], [-2.1, 2.1]],
    ['[CHAT-13]', 'repetition_penalty', [0.1, 2], [0, 2.1]],
    ['[CHAT-14]', 'min_p', [0, 1], [-0.1, 1.1]],
    ['[CHAT-14]', 'top_a', [0, 1], [-0.1, 1.1]],
    ['[CHAT-15]', 'logit_bias', [{ 50256: -100 }, { 50256: 100 }], [{ 50256: 101 }, { 50256: -101 }]],
  ] satisfies [string, string, JsonValue[], JsonValue[]][])(
    '%s %s is accepted within its range and refused outside, before any upstream',
    async (_clause, name, accepted, refused) => {
      for (const value of accepted) await expectAccepted({ [name]: value }, name)
      for (const value of refused) await expectRefused({ [name]: value })
    },
  )

  it('[CHAT-17] top_logprobs takes 0 to 20, and only with logprobs', async () => {
    for (const value of [0, 20]) await expectAccepted({ logprobs: true, top_logprobs: value }, 'top_logprobs')
    await expectRefused({ logprobs: true, top_logprobs: 21 })
    await expectRefused({ top_logprobs: 5 })
    await expectRefused({ logprobs: false, top_logprobs: 5 })
  })

  it('[CHAT-05] max_tokens reaches the upstream as the cap', async () => {
    await world.chat({ model: llama, max_tokens: 7 })
    expect(bodySeenBy(world.groq).max_tokens).toBe(7)
    // This upstream model only accepts its cap under the newer name.
    await world.chat({ max_tokens: 7 })
    expect(bodySeenBy(world.openai)).toMatchObject({ max_completion_tokens: 7 })
    expect(bodySeenBy(world.openai)).not.toHaveProperty('max_tokens')
  })

  /** The hold of a call with this cap while the upstream works, and the cap the upstream received. */
  async function holdOf(caps: JsonObject): Promise<{ held: string; cap: unknown }> {
    const caller = await world.caller()
    world.openai.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const leave = new AbortController()
    const gone = world.chat(caps, { as: caller, signal: leave.signal }).catch(() => {})
    await world.openai.waitForGate('held')
    const { held } = await world.gateway.walletOf(caller.walletId)
    const { max_tokens: older, max_completion_tokens: newer } = bodySeenBy(world.openai)
    leave.abort()
    await gone
    world.forget()
    return { held, cap: newer ?? older }
  }

  it('[CHAT-06] max_completion_tokens alone caps and holds as the same max_tokens would', async () => {
    const older = await holdOf({ max_tokens: 5_000 })
    expect(older.cap).toBe(5_000)
    expect(Number(older.held)).toBeGreaterThan(5_000 * 0.000012)
    expect(await holdOf({ max_completion_tokens: 5_000 })).toEqual(older)
    const larger = await holdOf({ max_completion_tokens: 10_000 })
    expect(Number(larger.held)).toBeGreaterThan(Number(older.held))
  })

  it('[CHAT-07] max_completion_tokens wins over a different max_tokens, upstream and in the hold', async () => {
    const expected = await holdOf({ max_completion_tokens: 300 })
    expect(await holdOf({ max_tokens: 9_000, max_completion_tokens: 300 })).toEqual(expected)
    expect(expected.cap).toBe(300)
  })

  it.each([
    ['seed', 42],
    ['top_p', 0.35],
    ['top_k', 40],
  ])('[CHAT-09] %s reaches the upstream unchanged', async (name, value) => {
    await expectAccepted({ [name]: value }, name)
  })

  it('[CHAT-10] top_k:0 is accepted and asks for no top-k sampling', async () => {
    const reply = await world.chat({ top_k: 0 })
    expect(reply.status).toBe(200)
    // Providers turn top-k off if it is absent, and some reject a zero.
    expect(bodySeenBy(world.openai)).not.toHaveProperty('top_k')
    await expectRefused({ top_k: -1 })
  })

  it('[CHAT-11] stop is a string or an array of strings, and the same strings arrive', async () => {
    for (const stop of ['END', ['END', '\n\n', '停']]) await expectAccepted({ stop }, 'stop')
    await expectRefused({ stop: [1] })
  })

  it('[CHAT-18] user does not change what a call costs', async () => {
    const without = await world.chat({})
    const named = await world.chat({ user: 'end-user-7' })
    expect(Number(usageOf(without).cost)).toBeGreaterThan(0)
    expect(usageOf(named)).toEqual(usageOf(without))
  })

  it.each([
    ['structured_outputs', true],
    ['image_config', { aspect_ratio: '16:9', strength: 0.4, unheard_of: [1] }],
    ['input_audio', { data: 'UklGRg==', format: 'wav' }],
  ])('[CHAT-19] %s reaches the upstream unchanged', async (name, value) => {
    await expectAccepted({ [name]: value }, name)
  })

  it('[CHAT-20] plugins reach an upstream that has plugins, every key intact', async () => {
    const plugins = [
      { id: 'web', max_results: 3, search_prompt: 'x' },
      { id: 'of-tomorrow', enabled: false, deep: { er: [1, null] } },
    ]
    const reply = await world.chat({ model: gemini, plugins })
    expect(reply.status).toBe(200)
    expect(bodySeenBy(world.openrouter).plugins).toEqual(plugins)
  })

  it('[CHAT-21] the web plugin turns on search where an upstream has it, and is dropped elsewhere', async () => {
    const plugins = [{ id: 'web' }]
    await world.chat({ model: gemini, plugins })
    expect(bodySeenBy(world.openrouter).plugins).toEqual(plugins)
    const elsewhere = await world.chat({ plugins })
    expect(elsewhere.status).toBe(200)
    expect(bodySeenBy(world.openai)).not.toHaveProperty('plugins')
    expect(elsewhere.headers.get('x-params-ignored')).toBe('plugins')
  })

  it('[CHAT-22] nothing the caller left out is added', async () => {
    for (const [model, simulator] of [
      ['openai/gpt-5.2', world.openai],
      [llama, world.groq],
      [gemini, world.openrouter],
    ] as const) {
      await world.chat({ model })
      expect(Object.keys(bodySeenBy(simulator)).sort()).toEqual(['messages', 'model', 'stream'])
    }
  })

  const familyFields = [
    ['user', 'end-user-7'],
    ['logprobs', true],
    ['top_logprobs', 3],
    ['logit_bias', { 50256: 5 }],
    ['parallel_tool_calls', false],
  ] satisfies [string, JsonValue][]

  it.each(familyFields)('[CHAT-23] %s is dropped for a model outside the OpenAI family', async (name, value) => {
    for (const [model, simulator] of [
      [llama, world.groq],
      [gemini, world.openrouter],
    ] as const) {
      const reply = await world.chat({ model, [name]: value })
      expect(reply.status, reply.text).toBe(200)
      expect(bodySeenBy(simulator)).not.toHaveProperty(name)
      expect(reply.headers.get('x-params-ignored')).toBe(name)
    }
  })

  it.each(familyFields)('[CHAT-24] %s reaches an OpenAI model unchanged', async (name, value) => {
    const others = name === 'top_logprobs' ? { logprobs: true } : {}
    const reply = await world.chat({ ...others, [name]: value })
    expect(reply.status).toBe(200)
    expect(bodySeenBy(world.openai)[name]).toEqual(value)
    expect(reply.headers.get('x-params-ignored')).toBeNull()
  })

  it.each([
    ['of_tomorrow', { deep: [null, 1.5, 'x'] }],
    ['constructor', 'harmless'],
    ['reasoning', { effort: 'minimal', summary: 'auto' }],
    ['reasoning_effort', 'extreme'],
    ['tool_choice', 'of-tomorrow'],
    ['modalities', ['text', 'smell']],
    ['service_tier', 'flex'],
    ['response_format', { type: 'of-tomorrow' }],
  ] satisfies [string, JsonValue][])('[CHAT-25] %s is passed on whatever it says', async (name, value) => {
    await expectAccepted({ [name]: value }, name)
  })

  it('[CHAT-26] the two ways of asking for usage are accepted, and usage comes either way', async () => {
    for (const stream of [false, true]) {
      for (const wish of [{}, { stream_options: { include_usage: true } }, { usage: { include: true } }]) {
        const reply = await world.chat({ stream, ...wish })
        expect(reply.status).toBe(200)
        const usage = stream ? reply.chunks.at(-1)?.usage : reply.json.usage
        expect(usage).toMatchObject({ prompt_tokens: expect.any(Number), cost: expect.any(Number) })
        expect(bodySeenBy(world.openai)).not.toHaveProperty('usage')
      }
    }
  })
})
