import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import {
  at,
  bodySeenBy,
  type DialectPath,
  type DialectWorld,
  listAt,
  modelOf,
  startDialectWorld,
} from './dialect-world.ts'
import { answerOf, cut, hello, twoCalls } from './upstream-answers.ts'

const messages = [{ role: 'user', content: 'Hello there' }]

const everySampling = {
  temperature: 0.7,
  top_p: 0.9,
  top_k: 40,
  stop: ['END'],
  seed: 7,
  frequency_penalty: 0.5,
  presence_penalty: -0.5,
  repetition_penalty: 1.1,
  min_p: 0.1,
  top_a: 0.2,
} as const satisfies JsonObject

const bodies = {
  '/v1/chat/completions': { messages },
  '/v1/responses': { input: 'Hello there' },
  '/v1/messages': { messages, max_tokens: 100 },
} as const satisfies Partial<Record<DialectPath, JsonObject>>

const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const

describe('every dialect', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.forget()
    world.upstreams.openai.play({ kind: 'echo' })
  })

  it.each(paths)('C7: %s charges nothing for an answer that is nested too deeply to be written', async (path) => {
    const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`
    const answers = {
      openai: `{"choices":[{"message":{"content":"Hi","deep":${deep}},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9}}`,
      claude: `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hi","deep":${deep}}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":9}}`,
    } as const
    for (const [name, text] of Object.entries(answers) as [keyof typeof answers, string][]) {
      const caller = await world.caller()
      world.upstreams[name].play({
        kind: 'steps',
        steps: [
          { do: 'head', status: 200, headers: { 'content-type': 'application/json' } },
          { do: 'write', text },
          { do: 'end' },
        ],
      })
      const reply = await world.post(path, { model: modelOf[name], ...bodies[path] }, { as: caller })
      expect(reply.status, `${name}: ${reply.text.slice(0, 200)}`).toBe(502)
      expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
      world.upstreams[name].play({ kind: 'echo' })
    }
  })

  it.each([
    ['openai', 'messages', { role: 'assistant', content: 'One, two,' }],
    ['claude', 'messages', { role: 'assistant', content: [{ type: 'text', text: 'One, two,' }] }],
    ['gemini', 'contents', { role: 'model', parts: [{ text: 'One, two,' }] }],
    ['bedrock', 'messages', { role: 'assistant', content: [{ text: 'One, two,' }] }],
  ] as const)(
    '[CHAT-30] [CHAT-46] a partial message of the assistant stays the last for %s',
    async (protocol, field, last) => {
      world.upstreams[protocol].playNext(answerOf(protocol, hello, false))
      const turns = [...messages, { role: 'assistant', content: 'One, two,' }]
      const reply = await world.post('/v1/chat/completions', {
        model: modelOf[protocol],
        messages: turns,
        max_tokens: 50,
      })
      expect(reply.status, reply.text).toBe(200)
      const sent = listAt(bodySeenBy(world.upstreams[protocol]), field)
      expect(sent).toHaveLength(2)
      expect(sent.at(-1)).toEqual(last)
    },
  )

  // The upstream's own words for a finished response, a truncated one and tool calls.
  it.each([
    ['claude', 'end_turn', 'max_tokens', 'tool_use'],
    ['gemini', 'STOP', 'MAX_TOKENS', 'STOP'],
    ['bedrock', 'end_turn', 'max_tokens', 'tool_use'],
  ] as const)('[CHAT-42] %s says why it ended, and the answer says it in both words', async (protocol, ...words) => {
    for (const [index, said] of [hello, cut, twoCalls].entries()) {
      for (const stream of [false, true]) {
        world.upstreams[protocol].playNext(answerOf(protocol, said, stream))
        const body = { model: modelOf[protocol], messages, max_tokens: 50, stream }
        const reply = await world.post('/v1/chat/completions', body)
        const choices = stream
          ? reply.chunks.flatMap((chunk) => listAt(chunk, 'choices'))
          : listAt(reply.json, 'choices')
        const ended = choices.find(({ finish_reason: reason }) => reason !== null)
        expect([ended?.finish_reason, ended?.native_finish_reason]).toEqual([
          ['stop', 'length', 'tool_calls'][index],
          words[index],
        ])
      }
    }
  })

  it.each(paths)('[STREAM-05] %s goes by the body, not by what the caller accepts', async (path) => {
    const body = { model: modelOf.openai, ...bodies[path] }
    const streamed = await world.post(path, { ...body, stream: true }, { headers: { accept: 'application/json' } })
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(streamed.events.length).toBeGreaterThan(1)
    for (const stream of [undefined, false]) {
      const whole = await world.post(path, { ...body, stream }, { headers: { accept: 'text/event-stream' } })
      expect(whole.headers.get('content-type')).toMatch(/^application\/json/)
      expect(whole.json.id).toBeDefined()
    }
    expect(world.upstreams.openai.requests.map(({ body: seen }) => at(seen, 'stream'))).toEqual([true, false, false])
  })

  it.each(paths)('[STREAM-06] a caller of %s who leaves takes the upstream along', async (path) => {
    const gate = { do: 'gate', name: 'middle' } as const
    const upstreams = {
      openai: insertAfterWrites(goodStream({}), 3, gate),
      claude: insertAfterWrites(anthropicStream(anthropicAnswers.text), 5, gate),
    } as const
    for (const upstream of ['openai', 'claude'] as const) {
      const simulator = world.upstreams[upstream]
      simulator.playNext(upstreams[upstream])
      const caller = await world.caller()
      const leave = new AbortController()
      const body = { model: modelOf[upstream], ...bodies[path], stream: true }
      const response = await world.gateway.as(caller).open('POST', path, body, { signal: leave.signal })
      expect(response.status).toBe(200)
      await simulator.waitForGate('middle')
      expect(simulator.requests[0]?.aborted).toBe(false)
      leave.abort()
      await simulator.waitForAbort(0)
      await expect.poll(() => world.gateway.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
    }
  })

  it.each(paths)('answers for a test model on %s, free of charge', async (path) => {
    const caller = await world.caller()
    for (const stream of [false, true]) {
      const reply = await world.post(path, { model: 'test/echo', ...bodies[path], stream }, { as: caller })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.text).toContain('there')
    }
    expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
  })

  it.each([
    [
      'claude',
      // This release accepts a temperature or a top-p, but not both.
      { temperature: 0.7, top_k: 40, stop_sequences: ['END'] },
      ['frequency_penalty', 'min_p', 'presence_penalty', 'repetition_penalty', 'seed', 'top_a', 'top_p'],
    ],
    [
      'gemini',
      {
        generationConfig: {
          temperature: 0.7,
          topP: 0.9,
          topK: 40,
          stopSequences: ['END'],
          seed: 7,
          frequencyPenalty: 0.5,
          presencePenalty: -0.5,
        },
      },
      ['min_p', 'repetition_penalty', 'top_a'],
    ],
    [
      'bedrock',
      { inferenceConfig: { temperature: 0.7, topP: 0.9, stopSequences: ['END'] } },
      ['frequency_penalty', 'min_p', 'presence_penalty', 'repetition_penalty', 'seed', 'top_a', 'top_k'],
    ],
  ] as const)('[CHAT-45] %s is sent every sampling field, or the client is told', async (protocol, sent, named) => {
    const body = { model: modelOf[protocol], messages, max_tokens: 50 }
    const ask = async (sampling: JsonObject): Promise<string[]> => {
      world.upstreams[protocol].playNext(answerOf(protocol, hello, false))
      const reply = await world.post('/v1/chat/completions', { ...body, ...sampling })
      expect(reply.status, reply.text).toBe(200)
      return (reply.headers.get('x-params-ignored') ?? '').split(/,\s*/).filter((name) => name !== '')
    }
    expect((await ask(everySampling)).toSorted()).toEqual(named)
    expect(bodySeenBy(world.upstreams[protocol])).toMatchObject(sent)
    // Above the range of Claude and Bedrock, which ends at one.
    const isNarrow = protocol !== 'gemini'
    expect(await ask({ temperature: 1.7 })).toEqual(isNarrow ? ['temperature'] : [])
    const written = JSON.stringify(bodySeenBy(world.upstreams[protocol]))
    expect(written).toContain(`"temperature":${isNarrow ? 1 : 1.7}`)
  })

  it('[USAGE-10] cache hits and writes have the names of the dialect', async () => {
    const said = { ...anthropicAnswers['cached-usage'] }
    const { claude, bedrock } = world.upstreams
    for (const stream of [false, true]) {
      claude.playNext(stream ? anthropicStream(said) : anthropicDocument(said))
      const chat = await world.post('/v1/chat/completions', { model: modelOf.claude, messages, stream })
      expect(stream ? chat.events.at(-1)?.data.usage : chat.json.usage).toMatchObject({
        prompt_tokens: 3_570,
        prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 3_068 },
      })
      claude.playNext(stream ? anthropicStream(said) : anthropicDocument(said))
      const own = await world.post('/v1/messages', { model: modelOf.claude, messages, max_tokens: 100, stream })
      const usage = stream ? own.events.find(({ event }) => event === 'message_delta')?.data.usage : own.json.usage
      expect(usage).toMatchObject({
        input_tokens: 2,
        cache_read_input_tokens: 500,
        cache_creation_input_tokens: 3_068,
      })
    }
    bedrock.playNext(bedrockDocument(bedrockAnswers.cached))
    const foreign = await world.post('/v1/messages', { model: modelOf.bedrock, messages, max_tokens: 100 })
    expect(foreign.json.usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 70,
    })
  })
})

describe('the credential of POST /v1/messages', () => {
  let world: DialectWorld
  let key: string
  let other: string
  let walletId: string
  beforeAll(async () => {
    world = await startDialectWorld()
    const caller = await world.caller()
    key = caller.key
    walletId = caller.walletId
    other = (await world.caller()).key
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function statusOf(headers: Record<string, string>, path: string = '/v1/messages'): Promise<number> {
    const body = { model: modelOf.openai, max_tokens: 10, messages, input: 'Hello' }
    return (await world.gateway.as().post(path, body, { headers })).status
  }

  it('[AUTH-04] is taken from either header alone', async () => {
    expect(await statusOf({ 'x-api-key': key })).toBe(200)
    expect(await statusOf({ authorization: `Bearer ${key}` })).toBe(200)
    expect(await statusOf({ 'x-api-key': key }, '/v1/messages/count_tokens')).toBe(200)
    expect(Number((await world.gateway.walletOf(walletId)).charged)).toBeGreaterThan(0)
    for (const wrong of ['', key.toUpperCase(), `Bearer ${key}`, `${key}, ${key}`, `${key}x`]) {
      expect(await statusOf({ 'x-api-key': wrong }), wrong).toBe(401)
    }
    expect(world.upstreams.openai.requests).toHaveLength(2)
    // The client's secret never reaches the upstream, whichever header it came in.
    for (const { headers, rawBody } of world.upstreams.openai.requests) {
      expect(JSON.stringify(headers) + rawBody).not.toContain(key)
    }
  })

  it('[AUTH-05] may stand in both headers, but not two of them', async () => {
    expect(await statusOf({ 'x-api-key': key, authorization: `Bearer ${key}` })).toBe(200)
    world.forget()
    const wrong = `sk-weir-${'0'.repeat(43)}`
    const before = await world.gateway.walletOf(walletId)
    for (const [one, two] of [
      [key, other],
      [other, key],
      [key, wrong],
      [wrong, key],
      [key, 'anything'],
    ] as const) {
      expect(await statusOf({ 'x-api-key': one, authorization: `Bearer ${two}` }), `${one} ${two}`).toBe(401)
    }
    expect(await statusOf({ 'x-api-key': key, authorization: 'Basic eDp5' })).toBe(401)
    expect(world.upstreams.openai.requests).toHaveLength(0)
    expect(await world.gateway.walletOf(walletId)).toEqual(before)
  })

  it.each(['/v1/chat/completions', '/v1/cursor/chat/completions', '/v1/responses'])(
    '[AUTH-06] in x-api-key alone opens nothing else: %s',
    async (path) => {
      expect(await statusOf({ 'x-api-key': key }, path)).toBe(401)
      expect(world.upstreams.openai.requests).toHaveLength(0)
      expect(await statusOf({ authorization: `Bearer ${key}` }, path)).toBe(200)
    },
  )

  it('[AUTH-06] in x-api-key alone reads no account', async () => {
    for (const path of ['/v1/key', '/v1/credits']) {
      const response = await world.gateway.as().get(path, { headers: { 'x-api-key': key } })
      expect(response.status, path).toBe(401)
    }
  })
})
