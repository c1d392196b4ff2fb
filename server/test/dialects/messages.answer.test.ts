import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Reply, StreamEvent } from '#test/setup/reply.ts'
import { anthropicAnswers, anthropicFailingAnswer } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { at, type DialectWorld, listAt, modelOf, protocols, startDialectWorld } from './dialect-world.ts'
import { answerOf, cut, hello, type Said, thoughtful, twoCalls } from './upstream-answers.ts'

type Protocol = (typeof protocols)[number]

const messages = [{ role: 'user', content: 'Hello' }]
const tools = [{ name: 'get_weather', input_schema: { type: 'object', properties: {} } }]

describe('the answer of POST /v1/messages', () => {
  let world: DialectWorld
  beforeAll(async () => {
    // The clock stands still, so that no minute ends during the test.
    world = await startDialectWorld({ WEIR_LIMITS_INFERENCE_LOW: '3' }, createTestClock('2030-01-07T12:00:15Z'))
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const post = (body: JsonObject): Promise<Reply> =>
    world.post('/v1/messages', { model: modelOf.claude, max_tokens: 100, messages, ...body })

  async function ask(protocol: Protocol, said: Said, body: JsonObject = {}): Promise<Reply> {
    world.upstreams[protocol].playNext(answerOf(protocol, said, body.stream === true))
    const reply = await post({ model: modelOf[protocol], ...body })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  it.each(protocols)('[MSG-01] of %s is a message', async (protocol) => {
    const { json } = await ask(protocol, hello)
    expect(json).toMatchObject({
      id: expect.stringMatching(/./),
      type: 'message',
      role: 'assistant',
      model: modelOf[protocol],
      content: [{ type: 'text', text: 'Hello there' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    })
  })

  it.each(protocols)('[MSG-08] a tool call of %s is a tool_use block', async (protocol) => {
    const { json } = await ask(protocol, twoCalls, { tools })
    expect(json.content).toEqual([
      { type: 'tool_use', id: expect.stringMatching(/^[\w-]+$/), name: 'get_weather', input: { city: 'Oslo' } },
      { type: 'tool_use', id: expect.stringMatching(/^[\w-]+$/), name: 'get_time', input: { zone: 'UTC' } },
    ])
    expect(json.stop_reason).toBe('tool_use')
    const streamed = await ask(protocol, twoCalls, { tools, stream: true })
    expect(at(eventOf(streamed, 'message_delta').data, 'delta.stop_reason')).toBe('tool_use')
  })

  it.each(protocols)('[MSG-10] %s ends with end_turn, or max_tokens when cut', async (protocol) => {
    for (const [said, reason] of [
      [hello, 'end_turn'],
      [cut, 'max_tokens'],
    ] as const) {
      expect((await ask(protocol, said)).json.stop_reason).toBe(reason)
      const streamed = await ask(protocol, said, { stream: true })
      expect(at(eventOf(streamed, 'message_delta').data, 'delta.stop_reason')).toBe(reason)
    }
  })

  // The token counts of each simulated upstream for the greeting, input and output.
  const counts = { openai: [16, 9], claude: [16, 9], gemini: [9, 3], bedrock: [16, 5] } as const

  it.each(protocols)('[MSG-11] usage of %s has four counts and the charge', async (protocol) => {
    for (const stream of [false, true]) {
      const reply = await ask(protocol, hello, { stream })
      const usage = stream ? eventOf(reply, 'message_delta').data.usage : reply.json.usage
      const [input, output] = counts[protocol]
      expect(usage).toMatchObject({
        input_tokens: input,
        output_tokens: output,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      })
      expect(Number(at(usage, 'weir_cost'))).toBeGreaterThan(0)
    }
  })

  it.each([false, true])(
    '[MSG-11] what a cache gave or took is counted beside the rest, stream: %s',
    async (stream) => {
      const claude = {
        kind: 'text',
        pieces: ['Hi'],
        usage: { prompt: 100, completion: 9, cached: 30 },
        cacheWrites: { fiveMinutes: 20, oneHour: 10 },
      } as const
      const bedrock = {
        blocks: [{ kind: 'text', pieces: ['Hi'] }],
        usage: { inputTokens: 40, outputTokens: 9, cacheReadInputTokens: 30, cacheWriteInputTokens: 30 },
      } as const
      world.upstreams.claude.playNext(stream ? anthropicStream(claude) : anthropicDocument(claude))
      world.upstreams.bedrock.playNext(stream ? bedrockStream(bedrock) : bedrockDocument(bedrock))
      for (const model of [modelOf.claude, modelOf.bedrock]) {
        const reply = await post({ model, stream })
        expect(stream ? eventOf(reply, 'message_delta').data.usage : reply.json.usage, model).toMatchObject({
          input_tokens: 40,
          output_tokens: 9,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 30,
        })
      }
    },
  )

  it('[MSG-11] the charge is what the wallet was charged', async () => {
    const as = await world.caller()
    world.upstreams.claude.playNext(answerOf('claude', hello, false))
    const body = { model: modelOf.claude, max_tokens: 100, messages }
    const { json } = await world.post('/v1/messages', body, { as })
    expect(at(json, 'usage.weir_cost')).toBe(Number((await world.gateway.walletOf(as.walletId)).charged))
  })

  it('[MSG-12] [MSG-13] without credit answers 402', async () => {
    const as = await world.caller({ usd: '0' })
    const reply = await world.post('/v1/messages', { model: modelOf.claude, max_tokens: 100, messages }, { as })
    expectError(reply, 402, 'billing_error')
    expect(world.upstreams.claude.requests).toHaveLength(0)
  })

  it('[MSG-12] [MSG-13] a rate overrun answers 429', async () => {
    const as = await world.caller({ usd: '5' })
    const statuses: number[] = []
    let last: Reply | null = null
    for (let call = 0; call < 4; call += 1) {
      world.upstreams.claude.playNext(answerOf('claude', hello, false))
      last = await world.post('/v1/messages', { model: modelOf.claude, max_tokens: 100, messages }, { as })
      statuses.push(last.status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    if (last !== null) expectError(last, 429, 'rate_limit_error')
  })

  it('[MSG-12] [MSG-13] the failure of all upstreams answers 502', async () => {
    world.upstreams.openai.play(faults.serverError(500))
    expectError(await post({ model: modelOf.openai }), 502, 'api_error')
    world.upstreams.openai.play({ kind: 'echo' })
    world.upstreams.claude.play(faults.serverError(500))
    expectError(await post({}), 502, 'api_error')
  })

  it('[MSG-12] [MSG-13] a model without an upstream answers 503', async () => {
    expectError(await post({ model: 'deepseek/deepseek-r1' }), 503, 'overloaded_error')
  })

  it('[MSG-13] refusals of every kind have the same form', async () => {
    expectError(await post({ max_tokens: 0 }), 400, 'invalid_request_error', 'max_tokens_invalid')
    expectError(await post({ model: 'openai/gpt-0' }), 400, 'invalid_request_error', 'unknown_model')
    expectError(await post({ model: 'openai/gpt-4-32k' }), 410, 'model_not_available', 'model_retired')
  })

  it.each(['/v1/messages', '/v1/messages/count_tokens', '/api/v1/messages'])(
    '[MSG-13] what is refused at the door of %s has that form too',
    async (path) => {
      const { key } = await world.caller()
      const type = { 'content-type': 'application/json' }
      const authorization = `Bearer ${key}`
      for (const [status, kind, headers, body] of [
        [401, 'authentication_error', type, '{}'],
        [400, 'invalid_request_error', { ...type, authorization }, '{'],
        [415, 'invalid_request_error', { 'content-type': 'text/plain', authorization }, 'Hello'],
        [415, 'invalid_request_error', { ...type, 'content-encoding': 'gzip', authorization }, 'Hello'],
        [413, 'request_too_large', { ...type, authorization }, ' '.repeat(10 * 1_024 * 1_024 + 1)],
      ] as const) {
        expectError(await world.gateway.as().post(path, body, { headers }), status, kind, status)
      }
    },
  )

  it.each(protocols)('[MSG-15] a stream of %s names its events and keeps their order', async (protocol) => {
    for (const said of [hello, thoughtful, twoCalls, cut]) {
      const reply = await ask(protocol, said, { stream: true, tools })
      expect(reply.text).not.toContain('[DONE]')
      expect(reply.events.map(({ event }) => event)).toEqual(reply.events.map(({ data }) => data.type))
      const events = reply.events.filter(({ event }) => event !== 'ping')
      expect(blocksIn(events)).toBeGreaterThan(0)
      const [delta, stop] = events.slice(-2)
      expect(delta?.data).toMatchObject({
        type: 'message_delta',
        delta: { stop_reason: expect.any(String), stop_sequence: null },
        usage: { output_tokens: expect.any(Number), weir_cost: expect.any(Number) },
      })
      expect(stop?.event).toBe('message_stop')
      const start = at(events[0]?.data, 'message')
      expect(start).toMatchObject({ type: 'message', role: 'assistant', content: [], stop_reason: null })
    }
  })

  it('[MSG-16] text, thoughts and input come in their own deltas, and hidden thoughts in none', async () => {
    world.upstreams.claude.playNext(anthropicStream(anthropicAnswers['redacted-thinking']))
    const { events } = await post({ stream: true })
    expect(deltasByBlock(events)).toEqual([
      ['thinking', ['thinking_delta', 'thinking_delta', 'signature_delta']],
      ['redacted_thinking', []],
      ['text', ['text_delta']],
      ['tool_use', expect.arrayContaining(['input_json_delta'])],
    ])
    const written = events
      .filter(({ data }) => data.type === 'content_block_delta' && data.index === 3)
      .map(({ data }) => at(data, 'delta.partial_json'))
    expect(JSON.parse(written.join(''))).toEqual({ zone: 'UTC' })
  })

  it.each(['gemini', 'bedrock'] as const)('[MSG-16] the same from %s', async (protocol) => {
    const thinking = await ask(protocol, thoughtful, { stream: true })
    const [thought, text] = deltasByBlock(thinking.events)
    expect(thought?.[0]).toBe('thinking')
    expect(thought?.[1].filter((type) => type === 'signature_delta')).toHaveLength(1)
    expect(thought?.[1].at(-1)).toBe('signature_delta')
    expect(new Set(thought?.[1])).toEqual(new Set(['thinking_delta', 'signature_delta']))
    expect(text).toEqual(['text', expect.arrayContaining(['text_delta'])])
    const calling = await ask(protocol, twoCalls, { stream: true, tools })
    for (const [type, deltas] of deltasByBlock(calling.events)) {
      expect(type).toBe('tool_use')
      expect(new Set(deltas)).toEqual(new Set(['input_json_delta']))
    }
  })

  it('[MSG-17] a failure in the middle is an error event', async () => {
    world.upstreams.claude.playNext(anthropicStream(anthropicFailingAnswer))
    world.upstreams.openai.playNext(vendorStream('openai', { kind: 'mid-stream-error', pieces: ['Hel'] }))
    for (const model of [modelOf.claude, modelOf.openai]) {
      const { status, events, text } = await post({ model, stream: true })
      expect(status).toBe(200)
      expect(text).toContain('Hel')
      const last = events.at(-1)
      expect(last?.event).toBe('error')
      expect(last?.data).toEqual({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } })
      expect(events.filter(({ event }) => event === 'error' || event === 'message_stop')).toHaveLength(1)
    }
  })
})

function expectError(reply: Reply, status: number, type: string, code: unknown = expect.anything()): void {
  expect(reply.status, reply.text).toBe(status)
  const requestId = reply.headers.get('request-id')
  expect(requestId).toMatch(/./)
  expect(reply.json).toEqual({
    type: 'error',
    error: { type, message: expect.stringMatching(/./), code },
    request_id: requestId,
  })
}

function eventOf({ events }: Reply, type: string): StreamEvent {
  const found = events.filter(({ event }) => event === type)
  const [only] = found
  if (only === undefined || found.length > 1)
    throw new Error(`${found.length} events ${type}: ${JSON.stringify(events)}`)
  return only
}

/** Checks that the blocks follow each other, and counts them. */
function blocksIn(events: readonly StreamEvent[]): number {
  expect(events[0]?.event).toBe('message_start')
  let count = 0
  let open = false
  for (const { event, data } of events.slice(1, -2)) {
    expect(data.index).toBe(count)
    if (event === 'content_block_start') expect(open).toBe(false)
    else expect(open).toBe(true)
    open = event !== 'content_block_stop'
    if (event === 'content_block_stop') count += 1
    else expect(['content_block_start', 'content_block_delta']).toContain(event)
  }
  expect(open).toBe(false)
  return count
}

/** The type of each block and the types of its deltas. */
function deltasByBlock(events: readonly StreamEvent[]): [unknown, unknown[]][] {
  const blocks: [unknown, unknown[]][] = []
  for (const { event, data } of events) {
    if (event === 'content_block_start') blocks.push([at(data, 'content_block.type'), []])
    if (event === 'content_block_delta') blocks.at(-1)?.[1].push(at(data, 'delta.type'))
  }
  expect(listAt({ events }, 'events').length).toBeGreaterThan(0)
  return blocks
}
