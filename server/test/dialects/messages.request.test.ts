import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import {
  at,
  bodySeenBy,
  type DialectWorld,
  modelOf,
  type PostOptions,
  protocols,
  startDialectWorld,
  type UpstreamName,
} from './dialect-world.ts'
import { answerOf, hello, twoCalls } from './upstream-answers.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'get_weather', description: 'Says it.', input_schema: schema }
const translated = { type: 'function', function: { name: 'get_weather', description: 'Says it.', parameters: schema } }

describe('a request of POST /v1/messages', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.forget()
    world.upstreams.claude.play({
      kind: 'by-request',
      stream: answerOf('claude', hello, true),
      json: answerOf('claude', hello, false),
    })
    world.upstreams.gemini.play(answerOf('gemini', hello, false))
    world.upstreams.bedrock.play(answerOf('bedrock', hello, false))
  })

  const post = (body: JsonObject, options: PostOptions = {}): Promise<Reply> =>
    world.post('/v1/messages', { model: modelOf.claude, max_tokens: 100, messages, ...body }, options)

  async function accepted(body: JsonObject, options: PostOptions = {}): Promise<Reply> {
    const reply = await post(body, options)
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  async function seenBy(upstream: UpstreamName, body: JsonObject): Promise<JsonObject> {
    await accepted({ model: modelOf[upstream], ...body })
    return bodySeenBy(world.upstreams[upstream])
  }

  it.each([
    ['no model', { model: undefined }],
    ['no max_tokens', { max_tokens: undefined }],
    ['no messages', { messages: undefined }],
    ['an empty list of messages', { messages: [] }],
    ['max_tokens of zero', { max_tokens: 0 }],
    ['negative max_tokens', { max_tokens: -1 }],
    ['half a token', { max_tokens: 1.5 }],
    ['max_tokens as text', { max_tokens: '100' }],
  ])('[MSG-02] with %s is refused', async (_why, body) => {
    const reply = await post(body)
    expect(reply.status, reply.text).toBe(400)
    expect(reply.json).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(world.upstreams.claude.requests).toHaveLength(0)
    await accepted({})
  })

  it('[MSG-03] system is a text or a list of blocks, cache marks included', async () => {
    const system = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]
    expect((await seenBy('claude', { system })).system).toEqual(system)
    expect((await seenBy('claude', { system: 'Be brief.' })).system).toBe('Be brief.')
    for (const given of [system, 'Be brief.\n\nBe kind.']) {
      const seen = await seenBy('groq', { system: given })
      expect(at(seen, 'messages.0.role')).toBe('system')
      expect(JSON.stringify(at(seen, 'messages.0.content'))).toMatch(/Be brief\..*Be kind\./)
      expect(at(seen, 'messages.1')).toEqual({ role: 'user', content: 'Hello' })
    }
  })

  it('[MSG-04] streams only when asked to', async () => {
    for (const stream of [undefined, false]) {
      const reply = await accepted({ stream })
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(bodySeenBy(world.upstreams.claude).stream ?? false).toBe(false)
    }
    const streamed = await accepted({ stream: true })
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(bodySeenBy(world.upstreams.claude).stream).toBe(true)
    world.upstreams.openai.playNext(vendorStream('openai', { kind: 'text', pieces: ['Hi'] }))
    expect((await accepted({ model: modelOf.openai, stream: true })).isStream).toBe(true)
    expect(bodySeenBy(world.upstreams.openai).stream).toBe(true)
  })

  it('[MSG-05] temperature is from 0 to 2', async () => {
    for (const temperature of [0, 1, 2]) {
      expect((await seenBy('groq', { temperature })).temperature).toBe(temperature)
    }
    // Claude's own range ends at one, and it rejects more: it receives one, and the gateway tells the client.
    for (const [temperature, sent, named] of [
      [0, 0, null],
      [1, 1, null],
      [2, 1, 'temperature'],
    ] as const) {
      const reply = await accepted({ model: modelOf.claude, temperature })
      expect(bodySeenBy(world.upstreams.claude).temperature).toBe(sent)
      expect(reply.headers.get('x-params-ignored')).toBe(named)
    }
    world.forget()
    for (const temperature of [-0.01, 2.01, '1']) {
      for (const model of [modelOf.claude, modelOf.groq]) {
        expect((await post({ model, temperature })).status).toBe(400)
      }
    }
    expect(world.upstreams.claude.requests.length + world.upstreams.groq.requests.length).toBe(0)
  })

  it('[MSG-06] top_p, top_k and stop_sequences reach Claude unchanged and a chat host under its names', async () => {
    const sampling = { top_p: 0.4, top_k: 12, stop_sequences: ['END', '\n\nHuman:'] }
    expect(await seenBy('claude', sampling)).toMatchObject(sampling)
    const seen = await seenBy('openrouter', sampling)
    expect(seen).toMatchObject({ top_p: 0.4, top_k: 12, stop: ['END', '\n\nHuman:'] })
    expect(seen).not.toHaveProperty('stop_sequences')
  })

  it('[MSG-07] tools reach Claude unchanged and others translated', async () => {
    const marked = { ...weather, cache_control: { type: 'ephemeral' }, of_tomorrow: [1] }
    for (const choice of [
      { type: 'auto', disable_parallel_tool_use: true },
      { type: 'any' },
      { type: 'tool', name: 'get_weather' },
      { type: 'none' },
    ]) {
      const body = { tools: [marked], tool_choice: choice }
      expect(await seenBy('claude', body)).toMatchObject(body)
    }
    for (const [choice, expected] of [
      [{ type: 'auto' }, 'auto'],
      [{ type: 'any' }, 'required'],
      [{ type: 'none' }, 'none'],
      [
        { type: 'tool', name: 'get_weather' },
        { type: 'function', function: { name: 'get_weather' } },
      ],
    ] as const) {
      const seen = await seenBy('openai', { tools: [weather], tool_choice: choice })
      expect(seen).toMatchObject({ tools: [translated], tool_choice: expected })
    }
    expect(at(await seenBy('gemini', { tools: [weather] }), 'tools.0.functionDeclarations.0')).toMatchObject({
      name: 'get_weather',
      parametersJsonSchema: schema,
    })
    expect(at(await seenBy('bedrock', { tools: [weather] }), 'toolConfig.tools.0.toolSpec')).toMatchObject({
      name: 'get_weather',
      inputSchema: { json: schema },
    })
  })

  it.each(['openai', 'gemini', 'bedrock'] as const)(
    '[MSG-09] a tool_result reaches %s as a result',
    async (upstream) => {
      const { [upstream]: simulator } = world.upstreams
      simulator.playNext(answerOf(upstream, twoCalls, false))
      const first = await accepted({ model: modelOf[upstream], tools: [weather] })
      const content = Array.isArray(first.json.content) ? first.json.content : []
      const results = content.map((block) => ({
        type: 'tool_result',
        tool_use_id: at(block, 'id'),
        content: [{ type: 'text', text: `result of ${String(at(block, 'name'))}` }],
      }))
      const history = [...messages, { role: 'assistant', content }, { role: 'user', content: results }]
      await accepted({ model: modelOf[upstream], tools: [weather], messages: JSON.parse(JSON.stringify(history)) })
      const seen = bodySeenBy(simulator)
      switch (upstream) {
        case 'openai':
          expect(seen.messages).toMatchObject([
            { role: 'user' },
            { role: 'assistant', tool_calls: [{ id: 'call_oslo' }, { id: 'call_utc' }] },
            { role: 'tool', tool_call_id: 'call_oslo', content: 'result of get_weather' },
            { role: 'tool', tool_call_id: 'call_utc', content: 'result of get_time' },
          ])
          return
        case 'gemini':
          expect(at(seen, 'contents.2.parts')).toMatchObject([
            { functionResponse: { name: 'get_weather', response: { output: 'result of get_weather' } } },
            { functionResponse: { name: 'get_time', response: { output: 'result of get_time' } } },
          ])
          return
        case 'bedrock':
          expect(at(seen, 'messages.2.content')).toMatchObject([
            { toolResult: { toolUseId: 'call_oslo', content: [{ text: 'result of get_weather' }] } },
            { toolResult: { toolUseId: 'call_utc', content: [{ text: 'result of get_time' }] } },
          ])
      }
    },
  )

  it.each(protocols)('[MSG-14] what clients of tomorrow send is no error with %s', async (protocol) => {
    const body = {
      model: modelOf[protocol],
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      metadata: { user_id: 'user_1', of_tomorrow: true },
      of_tomorrow: { deep: [1] },
    }
    const headers = { 'anthropic-beta': 'context-management-2025-06-27, of-tomorrow-2031-01-01' }
    await accepted(body, { headers, query: '?beta=true' })
    await accepted({ ...body, thinking: { type: 'adaptive' }, tools: [{ type: 'of_tomorrow_20310101', name: 'x' }] })
    await accepted({ ...body, thinking: { type: 'disabled' } })
  })

  it('[MSG-14] Claude gets the beta names and fields as they were sent', async () => {
    const fields = { thinking: { type: 'enabled', budget_tokens: 2_000 }, context_management: { edits: [] } }
    await accepted(
      { ...fields, max_tokens: 4_000 },
      { headers: { 'anthropic-beta': 'one-2025, two-2026' }, query: '?beta=true' },
    )
    expect(bodySeenBy(world.upstreams.claude)).toMatchObject(fields)
    expect(bodySeenBy(world.upstreams.claude)).not.toHaveProperty('betas')
    expect(world.upstreams.claude.requests.at(-1)?.headers['anthropic-beta']).toMatch(/^one-2025, ?two-2026$/)
  })

  it.each(['temperature', 'top_p', 'top_k'])(
    '[MSG-18] %s goes to Claude under the version that takes it',
    async (name) => {
      const value = name === 'top_k' ? 5 : 0.5
      await accepted({ [name]: value }, { headers: { 'anthropic-version': '2099-01-01' } })
      const chat = await world.post('/v1/chat/completions', { model: modelOf.claude, messages, [name]: value })
      expect(chat.status, chat.text).toBe(200)
      const { requests } = world.upstreams.claude
      expect(requests).toHaveLength(2)
      for (const { headers, body } of requests) {
        expect(headers['anthropic-version']).toBe('2023-06-01')
        expect(body).toMatchObject({ [name]: value })
      }
    },
  )
})
