import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { at, bodySeenBy, type DialectWorld, listAt, modelOf, protocols, startDialectWorld } from './dialect-world.ts'
import { answerOf, hello, type Said, twoCalls } from './upstream-answers.ts'

type Protocol = (typeof protocols)[number]

const schema = { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] }
const weather = { type: 'function', function: { name: 'get_weather', description: 'Says it.', parameters: schema } }
const question = [{ role: 'user', content: 'What is it like in Oslo?' }]

describe('tools on POST /v1/chat/completions', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function chat(protocol: Protocol, body: JsonObject, said: Said = hello): Promise<Reply> {
    world.upstreams[protocol].playNext(answerOf(protocol, said, body.stream === true))
    const reply = await world.post('/v1/chat/completions', { model: modelOf[protocol], messages: question, ...body })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  /** The tool fields of the upstream request for this body. */
  async function toldOf(protocol: Protocol, body: JsonObject): Promise<JsonObject> {
    await chat(protocol, { tools: [weather], ...body })
    return bodySeenBy(world.upstreams[protocol])
  }

  const told = {
    openai: { tools: [weather] },
    claude: { tools: [{ name: 'get_weather', description: 'Says it.', input_schema: schema }] },
    gemini: {
      tools: [
        { functionDeclarations: [{ name: 'get_weather', description: 'Says it.', parametersJsonSchema: schema }] },
      ],
    },
    bedrock: {
      toolConfig: {
        tools: [{ toolSpec: { name: 'get_weather', description: 'Says it.', inputSchema: { json: schema } } }],
      },
    },
  } satisfies Record<Protocol, JsonObject>

  it.each(protocols)('[TOOL-01] a function reaches %s with its name, description and schema', async (protocol) => {
    expect(await toldOf(protocol, {})).toMatchObject(told[protocol])
  })

  it('[TOOL-02] tool_choice:"none" lets no upstream call a tool', async () => {
    const none = { tool_choice: 'none' }
    expect(await toldOf('openai', none)).toMatchObject({ tool_choice: 'none' })
    expect(await toldOf('claude', none)).toMatchObject({ tool_choice: { type: 'none' } })
    expect(await toldOf('gemini', none)).toMatchObject({ toolConfig: { functionCallingConfig: { mode: 'NONE' } } })
    // Converse has no equivalent, so the model receives no tools.
    expect(await toldOf('bedrock', none)).not.toHaveProperty('toolConfig')
  })

  it('[TOOL-02] without tool_choice the model decides, as with "auto"', async () => {
    const forced = /"(?:none|NONE|any|ANY|tool)"/
    for (const protocol of protocols) {
      for (const body of [{}, { tool_choice: 'auto' }]) {
        const seen = await toldOf(protocol, body)
        expect(seen).toMatchObject(told[protocol])
        expect(JSON.stringify([seen.tool_choice, choiceIn(seen.toolConfig)])).not.toMatch(forced)
      }
    }
  })

  it('[TOOL-03] tool_choice:"required" forces some tool', async () => {
    const some = { tool_choice: 'required' }
    expect(await toldOf('openai', some)).toMatchObject({ tool_choice: 'required' })
    expect(await toldOf('claude', some)).toMatchObject({ tool_choice: { type: 'any' } })
    expect(await toldOf('gemini', some)).toMatchObject({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } })
    expect(await toldOf('gemini', some)).not.toHaveProperty('toolConfig.functionCallingConfig.allowedFunctionNames')
    expect(await toldOf('bedrock', some)).toMatchObject({ toolConfig: { toolChoice: { any: {} } } })
  })

  it('[TOOL-03] a named function forces that one', async () => {
    const named = { tool_choice: { type: 'function', function: { name: 'get_weather' } } }
    expect(await toldOf('openai', named)).toMatchObject(named)
    expect(await toldOf('claude', named)).toMatchObject({ tool_choice: { type: 'tool', name: 'get_weather' } })
    expect(await toldOf('gemini', named)).toMatchObject({
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
    })
    expect(await toldOf('bedrock', named)).toMatchObject({
      toolConfig: { toolChoice: { tool: { name: 'get_weather' } } },
    })
  })

  it.each(protocols)(
    '[TOOL-04] without parallel_tool_calls %s is told nothing and may call twice',
    async (protocol) => {
      const reply = await chat(protocol, { tools: [weather] }, twoCalls)
      expect(world.upstreams[protocol].requests.at(-1)?.rawBody).not.toMatch(/parallel/i)
      expect(listAt(reply.json, 'choices.0.message.tool_calls')).toHaveLength(2)
    },
  )

  it.each(protocols)('[TOOL-05] a call of %s has an id, a type, a name and arguments as text', async (protocol) => {
    const reply = await chat(protocol, { tools: [weather] }, twoCalls)
    const calls = listAt(reply.json, 'choices.0.message.tool_calls')
    expect(calls).toEqual([
      { id: expect.any(String), type: 'function', function: { name: 'get_weather', arguments: expect.any(String) } },
      { id: expect.any(String), type: 'function', function: { name: 'get_time', arguments: expect.any(String) } },
    ])
    expect(calls.map((call) => JSON.parse(String(at(call, 'function.arguments'))))).toEqual([
      { city: 'Oslo' },
      { zone: 'UTC' },
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it.each(protocols)('[TOOL-06] an answer of %s that calls tools finishes so, streamed or not', async (protocol) => {
    const whole = await chat(protocol, { tools: [weather] }, twoCalls)
    expect(at(whole.json, 'choices.0.finish_reason')).toBe('tool_calls')
    const streamed = await chat(protocol, { tools: [weather], stream: true }, twoCalls)
    const reasons = streamed.events.map(({ data }) => finishOf(data)).filter((reason) => reason !== null)
    expect(reasons).toEqual(['tool_calls'])
  })

  it.each(protocols)('[TOOL-07] the streamed arguments of %s add up to JSON before the end', async (protocol) => {
    const { events } = await chat(protocol, { tools: [weather], stream: true }, twoCalls)
    const written = new Map<unknown, string>()
    for (const { data } of events) {
      for (const delta of toolDeltasOf(data)) {
        const before = written.get(delta.index) ?? ''
        written.set(delta.index, before + String(at(delta, 'function.arguments') ?? ''))
      }
      if (finishOf(data) === 'tool_calls') break
    }
    expect([...written.values()].map((text) => JSON.parse(text))).toEqual([{ city: 'Oslo' }, { zone: 'UTC' }])
  })

  it.each(protocols)('[TOOL-08] the first delta of a call of %s names it, the others only add', async (protocol) => {
    const { events } = await chat(protocol, { tools: [weather], stream: true }, twoCalls)
    const deltas = events.flatMap(({ data }) => toolDeltasOf(data))
    for (const [index, name] of ['get_weather', 'get_time'].entries()) {
      const [first, ...others] = deltas.filter((delta) => delta.index === index)
      expect(first).toEqual({
        index,
        id: expect.stringMatching(/./),
        type: 'function',
        function: { name, arguments: '' },
      })
      expect(others.length).toBeGreaterThan(0)
      for (const other of others) expect(other).toEqual({ index, function: { arguments: expect.any(String) } })
    }
    expect(new Set(deltas.map(({ index }) => index))).toEqual(new Set([0, 1]))
  })

  it('[TOOL-09] the results of parallel calls find their calls, whatever their order', async () => {
    const messages = [
      ...question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          callOf('call_a', 'get_weather', '{"city":"Oslo"}'),
          callOf('call_b', 'get_time', '{"zone":"UTC"}'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
      { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
    ]
    await chat('openai', { messages, tools: [weather] })
    expect(bodySeenBy(world.upstreams.openai).messages).toEqual(messages)
    await chat('claude', { messages, tools: [weather] })
    expect(listAt(bodySeenBy(world.upstreams.claude), 'messages').slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'call_b', name: 'get_time', input: { zone: 'UTC' } },
        ],
      },
      {
        role: 'user',
        content: [
          expect.objectContaining({ type: 'tool_result', tool_use_id: 'call_b' }),
          expect.objectContaining({ type: 'tool_result', tool_use_id: 'call_a' }),
        ],
      },
    ])
    expect(at(bodySeenBy(world.upstreams.claude), 'messages.2.content.0.content.0')).toMatchObject({ text: 'noon' })
    await chat('gemini', { messages, tools: [weather] })
    expect(JSON.stringify(at(bodySeenBy(world.upstreams.gemini), 'contents.2.parts'))).toMatch(
      /get_weather[^}]*rain.*get_time[^}]*noon/,
    )
    await chat('bedrock', { messages, tools: [weather] })
    expect(at(bodySeenBy(world.upstreams.bedrock), 'messages.2.content')).toMatchObject([
      { toolResult: { toolUseId: 'call_b' } },
      { toolResult: { toolUseId: 'call_a' } },
    ])
  })

  /** The error code of a request that no upstream has seen. */
  async function refusalOf(body: JsonObject): Promise<unknown> {
    const reply = await world.post('/v1/chat/completions', { model: modelOf.openai, messages: question, ...body })
    expect(reply.status, reply.text).toBe(400)
    expect(world.upstreams.openai.requests).toHaveLength(0)
    return at(reply.json, 'error.code')
  }

  it('[ERR-23] a model that can not call tools is not offered any, in no dialect', async () => {
    const model = 'meta-llama/llama-guard-4-12b'
    expect(await refusalOf({ model, tools: [weather] })).toBe('tool_use_unsupported')
    // The model also has no price, so a call without tools gets that error.
    expect(await refusalOf({ model })).toBe('model_not_priced')
    expect(await refusalOf({ model, tools: [] })).toBe('model_not_priced')
    const tool = { name: 'get_weather', input_schema: schema }
    const messages = await world.post('/v1/messages', { model, max_tokens: 9, messages: question, tools: [tool] })
    expect(at(messages.json, 'error.code')).toBe('tool_use_unsupported')
    const responses = await world.post('/v1/responses', { model, input: 'Hi', tools: [weather] })
    expect(at(responses.json, 'error.code')).toBe('tool_use_unsupported')
    const hosted = await world.post('/v1/responses', { model, input: 'Hi', tools: [{ type: 'web_search' }] })
    expect(at(hosted.json, 'error.code')).toBe('model_not_priced')
  })

  it('[ERR-24] a result without an id, or of no call before it, is refused', async () => {
    const asked = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const result = { role: 'tool', tool_call_id: 'call_a', content: 'x' }
    const code = 'malformed_tool_messages'
    expect(await refusalOf({ messages: [...question, asked, { role: 'tool', content: 'x' }] })).toBe(code)
    expect(await refusalOf({ messages: [...question, result] })).toBe(code)
    expect(await refusalOf({ messages: [...question, result, asked] })).toBe(code)
    expect(await refusalOf({ messages: [...question, asked, { ...result, tool_call_id: 'call_b' }] })).toBe(code)
    await chat('openai', { messages: [...question, asked, result] })
  })

  it.each([
    ['has no name', { type: 'function', function: { parameters: schema } }],
    ['has an empty name', { type: 'function', function: { name: '', parameters: schema } }],
    ['has a blank in its name', { type: 'function', function: { name: 'get weather' } }],
    ['has a dot in its name', { type: 'function', function: { name: 'get.weather' } }],
    ['has other letters in its name', { type: 'function', function: { name: 'vær' } }],
    ['has a list of parameters', { type: 'function', function: { name: 'f', parameters: [] } }],
    ['has parameters as text', { type: 'function', function: { name: 'f', parameters: '{}' } }],
  ])('[ERR-25] a tool that %s is refused', async (_why, tool) => {
    expect(await refusalOf({ tools: [weather, tool] })).toBe('invalid_tools_definition')
  })

  it.each([
    ['no definition', {}],
    ['no name', { json_schema: { schema } }],
    ['a name of the wrong type', { json_schema: { name: 7, schema } }],
    ['no schema', { json_schema: { name: 'answer' } }],
    ['a schema of the wrong type', { json_schema: { name: 'answer', schema: 'object' } }],
    ['a list for a schema', { json_schema: { name: 'answer', schema: [] } }],
  ])('[ERR-26] a json_schema format with %s is refused', async (_why, rest) => {
    const format = { type: 'json_schema', ...rest }
    expect(await refusalOf({ response_format: format })).toBe('invalid_response_format_schema')
  })
})

function finishOf(chunk: JsonObject): unknown {
  const [choice] = listAt(chunk, 'choices')
  return choice?.finish_reason ?? null
}

function toolDeltasOf(chunk: JsonObject): JsonObject[] {
  const [choice] = listAt(chunk, 'choices')
  const calls = choice === undefined ? undefined : at(choice, 'delta.tool_calls')
  return calls === undefined ? [] : listAt({ calls }, 'calls')
}

function choiceIn(config: unknown): unknown {
  return isJsonObject(config) ? (config.functionCallingConfig ?? config.toolChoice) : undefined
}

function callOf(id: string, name: string, json: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: json } }
}
