import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Reply, StreamEvent } from '#test/setup/reply.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { at, type DialectWorld, listAt, modelOf, protocols, startDialectWorld } from './dialect-world.ts'
import { answerOf, cut, hello, type Said, thoughtful, twoCalls } from './upstream-answers.ts'

type Protocol = (typeof protocols)[number]

const tools = [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }]

describe('the answer of POST /v1/responses', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function ask(protocol: Protocol, said: Said, body: JsonObject = {}): Promise<Reply> {
    world.upstreams[protocol].playNext(answerOf(protocol, said, body.stream === true))
    const reply = await world.post('/v1/responses', { model: modelOf[protocol], input: 'Hello', ...body })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  const askStream = async (protocol: Protocol, said: Said, body: JsonObject = {}): Promise<StreamEvent[]> =>
    (await ask(protocol, said, { stream: true, ...body })).events

  it.each(protocols)('[RESP-01] of %s is a completed response', async (protocol) => {
    const { json, headers } = await ask(protocol, hello)
    expect(json).toMatchObject({
      object: 'response',
      id: expect.stringMatching(/^resp_./),
      status: 'completed',
      model: modelOf[protocol],
      created_at: expect.any(Number),
      completed_at: expect.any(Number),
      error: null,
    })
    expect(Number(json.created_at)).toBeGreaterThan(Date.now() / 1_000 - 60)
    expect(Number(json.completed_at)).toBeGreaterThanOrEqual(Number(json.created_at))
    expect(headers.get('x-generation-id')).toMatch(/^gen-/)
  })

  it.each(protocols)('[RESP-17] text of %s is a message of output_text', async (protocol) => {
    const { json } = await ask(protocol, hello)
    expect(json.output).toEqual([
      {
        id: expect.any(String),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [expect.objectContaining({ type: 'output_text', text: 'Hello there', annotations: [] })],
      },
    ])
  })

  it.each(protocols)('[RESP-18] a tool call of %s is a function_call item', async (protocol) => {
    const { json } = await ask(protocol, twoCalls, { tools })
    const item = { type: 'function_call', id: expect.any(String), call_id: expect.any(String), status: 'completed' }
    expect(json.output).toEqual([
      { ...item, name: 'get_weather', arguments: expect.any(String) },
      { ...item, name: 'get_time', arguments: expect.any(String) },
    ])
    const calls = listAt(json, 'output')
    expect(calls.map((call) => JSON.parse(String(call.arguments)))).toEqual([{ city: 'Oslo' }, { zone: 'UTC' }])
    expect(new Set(calls.flatMap(({ id, call_id: callId }) => [id, callId])).size).toBe(4)
    if (protocol !== 'gemini') expect(calls.map((call) => call.call_id)).toEqual(['call_oslo', 'call_utc'])
  })

  it('[RESP-19] usage counts and states the cost, or is null', async () => {
    const { json } = await ask('openai', hello)
    expect(json.usage).toMatchObject({ input_tokens: 16, output_tokens: 9, total_tokens: 25 })
    expect(at(json, 'usage.cost')).toBe(16 * 0.0000015 + 9 * 0.000012)
    const unknown = { kind: 'text', pieces: ['Hello'], usage: null } as const
    world.upstreams.openai.playNext(vendorCompletion('openai', unknown))
    const silent = await world.post('/v1/responses', { model: modelOf.openai, input: 'Hello' })
    expect(silent.json.usage).toBeNull()
    world.upstreams.openai.playNext(vendorStream('openai', unknown))
    const streamed = await world.post('/v1/responses', { model: modelOf.openai, input: 'Hello', stream: true })
    expect(at(streamed.events.at(-1)?.data, 'response.usage')).toBeNull()
  })

  it('[RESP-20] usage has its two details, also where nothing was cached or thought', async () => {
    const { json } = await ask('openai', hello)
    expect(json.usage).toMatchObject({
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    })
    const counts = { prompt: 100, completion: 50, cached: 60, reasoning: 20 }
    world.upstreams.openai.playNext(vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage: counts }))
    const cached = await world.post('/v1/responses', { model: modelOf.openai, input: 'Hello' })
    expect(cached.json.usage).toMatchObject({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 20 },
    })
  })

  it('[RESP-21] the response repeats what was asked', async () => {
    const plain = await ask('openai', hello)
    expect(plain.json).toMatchObject({
      incomplete_details: null,
      instructions: null,
      metadata: {},
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
    })
    for (const name of ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']) {
      expect(plain.json).toHaveProperty(name)
    }
    const wishes = {
      instructions: 'Be brief.',
      metadata: { run: '7' },
      parallel_tool_calls: false,
      tool_choice: 'required',
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
    }
    const told = await ask('openai', hello, { ...wishes, tools })
    expect(told.json).toMatchObject({ ...wishes, tools: [{ type: 'function', name: 'get_weather' }] })
  })

  it.each(protocols)('[RESP-22] every event of a stream of %s has its name and number', async (protocol) => {
    for (const said of [hello, thoughtful, twoCalls, cut]) {
      const events = await askStream(protocol, said)
      expect(events.map(({ event }) => event)).toEqual(events.map(({ data }) => data.type))
      expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, number) => number))
      expect(events.length).toBeGreaterThan(5)
    }
  })

  it.each(protocols)('[RESP-23] a stream of %s opens with two whole responses without output', async (protocol) => {
    const [created, inProgress, next] = await askStream(protocol, hello)
    for (const [event, type] of [
      [created, 'response.created'],
      [inProgress, 'response.in_progress'],
    ] as const) {
      expect(event?.data).toMatchObject({
        type,
        response: {
          object: 'response',
          id: expect.stringMatching(/^resp_/),
          status: 'in_progress',
          model: modelOf[protocol],
          output: [],
          error: null,
          usage: null,
          tools: [],
        },
      })
    }
    expect(next?.event).toBe('response.output_item.added')
  })

  it.each(protocols)('[RESP-24] a message of %s streams in six steps', async (protocol) => {
    const events = await askStream(protocol, hello)
    const steps = itemEvents(events, 'message')
    expect(runsOf(steps)).toEqual([
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ])
    const id = at(steps[0]?.data, 'item.id')
    for (const { data } of steps.slice(1, -1))
      expect(data).toMatchObject({ item_id: id, output_index: 0, content_index: 0 })
    const deltas = steps.filter(({ event }) => event === 'response.output_text.delta')
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.map(({ data }) => data.delta).join('')).toBe('Hello there')
    expect(steps.at(-3)?.data.text).toBe('Hello there')
    expect(at(steps.at(-1)?.data, 'item')).toMatchObject({
      id,
      status: 'completed',
      content: [{ text: 'Hello there' }],
    })
  })

  it.each(['claude', 'gemini', 'bedrock'] as const)(
    '[RESP-25] thoughts of %s stream in six steps',
    async (protocol) => {
      const steps = itemEvents(await askStream(protocol, thoughtful), 'reasoning')
      expect(runsOf(steps)).toEqual([
        'response.output_item.added',
        'response.reasoning_summary_part.added',
        'response.reasoning_summary_text.delta',
        'response.reasoning_summary_text.done',
        'response.reasoning_summary_part.done',
        'response.output_item.done',
      ])
      const deltas = steps.filter(({ event }) => event === 'response.reasoning_summary_text.delta')
      expect(deltas.map(({ data }) => data.delta).join('')).toBe('Let me think.')
      expect(at(steps.at(-1)?.data, 'item')).toMatchObject({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Let me think.' }],
      })
    },
  )

  it.each(protocols)('[RESP-26] a function call of %s streams its arguments under its ids', async (protocol) => {
    const events = await askStream(protocol, twoCalls, { tools })
    for (const [index, name] of ['get_weather', 'get_time'].entries()) {
      const steps = itemEvents(events, 'function_call', index)
      expect(runsOf(steps)).toEqual([
        'response.output_item.added',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done',
      ])
      const [first, last] = [at(steps[0]?.data, 'item'), at(steps.at(-1)?.data, 'item')]
      expect(first).toMatchObject({ name, arguments: '', status: 'in_progress' })
      const deltas = steps.filter(({ event }) => event === 'response.function_call_arguments.delta')
      const written = deltas.map(({ data }) => data.delta).join('')
      expect(JSON.parse(written)).toEqual(index === 0 ? { city: 'Oslo' } : { zone: 'UTC' })
      expect(steps.at(-2)?.data).toMatchObject({ item_id: at(first, 'id'), arguments: written })
      expect(last).toMatchObject({
        id: at(first, 'id'),
        call_id: at(first, 'call_id'),
        name,
        arguments: written,
        status: 'completed',
      })
    }
  })

  it.each(protocols)('[RESP-27] a stream of %s ends once, with its usage', async (protocol) => {
    for (const [said, end] of [
      [hello, 'response.completed'],
      [twoCalls, 'response.completed'],
      [cut, 'response.incomplete'],
    ] as const) {
      const events = await askStream(protocol, said)
      expect(events.map(({ event }) => event).filter((event) => ends.has(event ?? ''))).toEqual([end])
      expect(events.at(-1)?.event).toBe(end)
      const response = at(events.at(-1)?.data, 'response')
      expect(response).toMatchObject({ status: end.slice('response.'.length), usage: { cost: expect.any(Number) } })
      expect(Number(at(response, 'usage.cost'))).toBeGreaterThan(0)
      const items = events.filter(({ event }) => event === 'response.output_item.done').map(({ data }) => data.item)
      expect(at(response, 'output')).toEqual(items)
    }
  })

  it('[RESP-28] a failure in the middle ends with response.failed and a word for a code', async () => {
    const failing = { kind: 'mid-stream-error', pieces: ['Hel'] } as const
    world.upstreams.openai.playNext(vendorStream('openai', failing))
    world.upstreams.claude.playNext(anthropicStream(failing))
    for (const model of [modelOf.openai, modelOf.claude]) {
      const { events, text, status } = await world.post('/v1/responses', { model, input: 'Hello', stream: true })
      expect(status).toBe(200)
      expect(text).toContain('Hel')
      expect(events.map(({ event }) => event).filter((event) => ends.has(event ?? ''))).toEqual(['response.failed'])
      expect(events.at(-1)?.data).toMatchObject({
        type: 'response.failed',
        response: {
          status: 'failed',
          error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) },
        },
      })
    }
  })

  it('[REASON-09] signed thoughts return to Claude by way of Responses byte for byte', async () => {
    const { claude } = world.upstreams
    claude.playNext(anthropicDocument(anthropicAnswers['redacted-thinking']))
    const first = await world.post('/v1/responses', {
      model: modelOf.claude,
      input: 'Hello',
      reasoning: { effort: 'low' },
    })
    claude.playNext(anthropicDocument(anthropicAnswers.text))
    const input = [
      { role: 'user', content: 'Hello' },
      ...listAt(first.json, 'output'),
      { type: 'function_call_output', call_id: 'toolu_02', output: 'noon' },
    ]
    await world.post('/v1/responses', { model: modelOf.claude, input })
    expect(at(claude.requests.at(-1)?.body, 'messages.1.content')).toEqual([
      {
        type: 'thinking',
        thinking: 'Hm, 東',
        signature: anthropicAnswers['redacted-thinking'].blocks[0].signature,
      },
      { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'toolu_02', name: 'get_time', input: { zone: 'UTC' } },
    ])
  })
})

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** The events of one item: the nth of its type. */
function itemEvents(events: readonly StreamEvent[], type: string, number = 0): StreamEvent[] {
  const added = events.filter(
    ({ event, data }) => event === 'response.output_item.added' && isJsonObject(data.item) && data.item.type === type,
  )
  const index = added[number]?.data.output_index
  expect(index, `no ${type} among ${JSON.stringify(events)}`).toBeDefined()
  return events.filter(({ data }) => data.output_index === index)
}

/** The event names, with consecutive duplicates merged. */
function runsOf(events: readonly StreamEvent[]): (string | null)[] {
  return events.map(({ event }) => event).filter((event, position, all) => event !== all[position - 1])
}
