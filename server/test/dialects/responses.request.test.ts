import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { at, bodySeenBy, type DialectWorld, modelOf, startDialectWorld, type UpstreamName } from './dialect-world.ts'
import { answerOf, cut, hello } from './upstream-answers.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const flat = { type: 'function', name: 'get_weather', description: 'Says it.', parameters: schema }
const nested = { type: 'function', function: { name: 'get_weather', description: 'Says it.', parameters: schema } }

describe('a request of POST /v1/responses', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.forget()
    world.upstreams.openai.play({ kind: 'echo' })
  })

  const post = (body: JsonObject): Promise<Reply> =>
    world.post('/v1/responses', { model: modelOf.openai, input: 'Hello', ...body })

  async function accepted(body: JsonObject): Promise<Reply> {
    const reply = await post(body)
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  async function seenBy(upstream: UpstreamName, body: JsonObject): Promise<JsonObject> {
    await accepted({ model: modelOf[upstream], ...body })
    return bodySeenBy(world.upstreams[upstream])
  }

  async function codeOf(body: JsonObject): Promise<unknown> {
    const reply = await post(body)
    expect(reply.status, reply.text).toBe(400)
    expect(world.upstreams.openai.requests).toHaveLength(0)
    return at(reply.json, 'error.code')
  }

  it('[RESP-02] needs a model and an input', async () => {
    const none = await world.post('/v1/responses', { input: 'Hello' })
    expect([none.status, at(none.json, 'error.code')]).toEqual([400, 'missing_required_field'])
    const silent = await world.post('/v1/responses', { model: modelOf.openai })
    expect([silent.status, at(silent.json, 'error.code')]).toEqual([400, 'missing_required_field'])
    expect(world.upstreams.openai.requests).toHaveLength(0)
  })

  it('[RESP-03] instructions are the system message of their own call only', async () => {
    const as = await world.caller()
    const body = { model: modelOf.openai, input: 'Hello' }
    await world.post('/v1/responses', { ...body, instructions: 'Speak Latin.' }, { as })
    expect(bodySeenBy(world.upstreams.openai).messages).toEqual([
      { role: 'system', content: 'Speak Latin.' },
      { role: 'user', content: 'Hello' },
    ])
    await world.post('/v1/responses', body, { as })
    expect(world.upstreams.openai.requests.at(-1)?.rawBody).not.toContain('Latin')
  })

  it.each(['openai', 'claude', 'gemini', 'bedrock'] as const)(
    '[RESP-04] max_output_tokens caps %s, and a cut answer says so',
    async (protocol) => {
      world.upstreams[protocol].playNext(answerOf(protocol, cut, false))
      const reply = await accepted({ model: modelOf[protocol], max_output_tokens: 77 })
      expect(world.upstreams[protocol].requests.at(-1)?.rawBody).toMatch(
        /"(?:max_completion_tokens|max_tokens|maxOutputTokens|maxTokens)":77\b/,
      )
      expect(reply.json).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        completed_at: null,
      })
      world.upstreams[protocol].playNext(answerOf(protocol, hello, false))
      const whole = await accepted({ model: modelOf[protocol], max_output_tokens: 77 })
      expect(whole.json).toMatchObject({ status: 'completed', incomplete_details: null })
    },
  )

  it('[RESP-05] temperature is from 0 to 2, and top_p is passed on', async () => {
    for (const temperature of [0, 0.7, 2]) {
      expect(await seenBy('groq', { temperature, top_p: 0.3 })).toMatchObject({ temperature, top_p: 0.3 })
    }
    for (const temperature of [-0.1, 2.1, '1']) expect(await codeOf({ temperature })).toBe(400)
  })

  it('[RESP-06] flat and nested tools have the same effect', async () => {
    const one = await seenBy('openai', { tools: [flat] })
    const other = await seenBy('openai', { tools: [nested] })
    expect(one.tools).toEqual([nested])
    expect(other).toEqual(one)
    expect(await codeOfBadName(flat)).toBe('invalid_tools_definition')
    expect(await codeOfBadName(nested)).toBe('invalid_tools_definition')
  })

  /** The error code for a tool with an invalid name, in the format of this one. */
  async function codeOfBadName(tool: JsonObject): Promise<unknown> {
    world.forget()
    const named = JSON.parse(JSON.stringify(tool).replace('get_weather', 'get weather'))
    return codeOf({ tools: [named] })
  }

  it.each(['web_search_preview', 'file_search', 'computer_use_preview', 'web_search', 'mcp', 'tool_search'])(
    'D7: [RESP-07] the hosted tool %s is dropped, and named',
    async (type) => {
      const hosted = { type, name: 'x', vector_store_ids: ['vs_1'], tools: [flat] }
      for (const model of [modelOf.openai, modelOf.groq]) {
        const reply = await accepted({ model, tools: [hosted] })
        expect(reply.headers.get('x-params-ignored')).toBe(`tools.${type}`)
        await accepted({ model, tools: [hosted, flat], tool_choice: 'auto' })
      }
      for (const upstream of ['openai', 'groq'] as const) {
        const [alone, beside] = world.upstreams[upstream].requests
        expect(alone?.body).not.toHaveProperty('tools')
        expect(alone?.body).not.toHaveProperty('tool_choice')
        expect(beside?.body).toMatchObject({ tools: [nested] })
      }
    },
  )

  it('[RESP-07] choosing a hosted tool that was dropped is no error', async () => {
    const seen = await seenBy('openai', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } })
    expect(seen).not.toHaveProperty('tool_choice')
  })

  it('[RESP-08] the web plugin searches where an upstream can, and is dropped elsewhere', async () => {
    const plugins = [{ id: 'web', max_results: 3 }]
    expect((await seenBy('openrouter', { plugins })).plugins).toEqual(plugins)
    const elsewhere = await accepted({ plugins })
    expect(bodySeenBy(world.upstreams.openai)).not.toHaveProperty('plugins')
    expect(elsewhere.headers.get('x-params-ignored')).toBe('plugins')
  })

  it.each([
    ['none', 'none'],
    ['auto', 'auto'],
    ['required', 'required'],
    [{ type: 'auto' }, 'auto'],
    [
      { type: 'function', name: 'get_weather' },
      { type: 'function', function: { name: 'get_weather' } },
    ],
    [
      { type: 'function', function: { name: 'get_weather' } },
      { type: 'function', function: { name: 'get_weather' } },
    ],
  ] satisfies [JsonValue, JsonValue][])('[RESP-09] tool_choice %j acts as on chat', async (choice, expected) => {
    expect((await seenBy('openai', { tools: [flat], tool_choice: choice })).tool_choice).toEqual(expected)
  })

  it('[RESP-09] response_format acts as on chat', async () => {
    for (const format of [
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } },
    ]) {
      expect((await seenBy('openai', { response_format: format })).response_format).toEqual(format)
    }
    const text = { format: { type: 'json_schema', name: 'weather', strict: true, schema } }
    expect((await seenBy('openai', { text })).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'weather', strict: true, schema },
    })
    world.forget()
    const bad = { type: 'json_schema', json_schema: { schema } }
    expect(await codeOf({ response_format: bad })).toBe('invalid_response_format_schema')
  })

  it('[RESP-10] parallel_tool_calls is true when omitted and reaches models of OpenAI only', async () => {
    const omitted = await accepted({ tools: [flat] })
    expect(omitted.json.parallel_tool_calls).toBe(true)
    expect([true, undefined]).toContain(bodySeenBy(world.upstreams.openai).parallel_tool_calls)
    for (const value of [true, false]) {
      const reply = await accepted({ tools: [flat], parallel_tool_calls: value })
      expect(reply.json.parallel_tool_calls).toBe(value)
      expect(bodySeenBy(world.upstreams.openai).parallel_tool_calls).toBe(value)
      expect(await seenBy('groq', { tools: [flat], parallel_tool_calls: value })).not.toHaveProperty(
        'parallel_tool_calls',
      )
    }
  })

  it.each([
    { models: [modelOf.groq] },
    { transforms: ['middle-out'] },
    { transforms: [] },
    { provider: { order: ['openai'], allow_fallbacks: false } },
  ])('[RESP-11] %j has the outcome that it has on chat, and stays here', async (steering) => {
    const outcomes: unknown[] = []
    for (const failing of [false, true]) {
      for (const path of ['/v1/chat/completions', '/v1/responses'] as const) {
        world.forget()
        world.upstreams.openai.play(failing ? faults.serverError(500) : { kind: 'echo' })
        const said = path === '/v1/responses' ? { input: 'Hello' } : { messages: [{ role: 'user', content: 'Hello' }] }
        const reply = await world.post(path, { model: modelOf.openai, ...said, ...steering })
        const { openai, groq } = world.upstreams
        for (const { body } of [...openai.requests, ...groq.requests]) {
          for (const name of Object.keys(steering)) expect(body).not.toHaveProperty(name)
        }
        outcomes.push([reply.status, reply.json.model, openai.requests.length, groq.requests.length])
      }
    }
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[2]).toEqual(outcomes[3])
    expect(outcomes[0]).toEqual([200, modelOf.openai, 1, 0])
  })

  it.each([
    { previous_response_id: null },
    { store: false },
    { include: ['reasoning.encrypted_content'] },
    { prompt_cache_key: 'session-1' },
    { client_metadata: { session: 'x' } },
  ])('[RESP-12] %j is accepted', async (field) => {
    for (const model of [modelOf.openai, modelOf.groq]) await accepted({ model, ...field })
    // Providers without such a field would reject it.
    for (const name of Object.keys(field)) expect(bodySeenBy(world.upstreams.groq)).not.toHaveProperty(name)
  })

  it('[RESP-13] background:true is answered in the same exchange', async () => {
    const reply = await accepted({ background: true })
    expect(reply.json).toMatchObject({ status: 'completed', background: false })
    expect(at(reply.json, 'output.0.content.0.text')).toBe('Hello')
    expect(bodySeenBy(world.upstreams.openai)).not.toHaveProperty('background')
  })

  it('[RESP-14] messages of every role, in every form, reach the model', async () => {
    const contents: JsonValue[] = []
    for (const [role, block] of [
      ['user', 'input_text'],
      ['system', 'input_text'],
      ['developer', 'input_text'],
      ['assistant', 'output_text'],
    ]) {
      for (const type of [{}, { type: 'message' }]) {
        const number = contents.length
        contents.push({ ...type, role, content: `text ${number}` })
        contents.push({ ...type, role, content: [{ type: block, text: `text ${number + 1}` }] })
      }
    }
    const seen = await seenBy('groq', { input: [...contents, { role: 'user', content: 'Well?' }] })
    const roles = new Map<string, string>()
    for (const message of Array.isArray(seen.messages) ? seen.messages : []) {
      for (const text of JSON.stringify(at(message, 'content')).match(/text \d+/g) ?? []) {
        roles.set(text, String(at(message, 'role')))
      }
    }
    expect([...roles.keys()]).toEqual(contents.map((_, number) => `text ${number}`))
    const expected = contents.map((item) => at(item, 'role')).map((role) => (role === 'developer' ? 'system' : role))
    expect([...roles.values()].map((role) => (role === 'developer' ? 'system' : role))).toEqual(expected)
  })

  it.each(['auto', 'low', 'high'])('[RESP-15] text and an image of detail %s reach the model', async (detail) => {
    const url = 'https://example.com/cat.png'
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: url, detail },
    ]
    const seen = await seenBy('openai', { input: [{ role: 'user', content }] })
    expect(at(seen, 'messages.0.content')).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url, detail } },
    ])
    world.upstreams.claude.playNext(answerOf('claude', hello, false))
    const told = await seenBy('claude', { input: [{ role: 'user', content }] })
    expect(at(told, 'messages.0.content')).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'image', source: { type: 'url', url } },
    ])
  })

  it('[RESP-16] a function call and its output reach the upstream as a call and its result', async () => {
    const input = [
      { role: 'user', content: 'Weather?' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
    ]
    const seen = await seenBy('openai', { input })
    const call = { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }
    expect(seen.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
    ])
    world.upstreams.claude.playNext(answerOf('claude', hello, false))
    const told = await seenBy('claude', { input, tools: [flat] })
    expect(at(told, 'messages.1.content')).toEqual([
      { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: 'Oslo' } },
    ])
    expect(at(told, 'messages.2.content.0')).toMatchObject({ type: 'tool_result', tool_use_id: 'call_a' })
  })

  it.each([{ store: true }, { previous_response_id: 'resp_1' }, { previous_response_id: '' }])(
    '[ERR-27] %j is refused, because nothing is stored',
    async (field) => {
      expect(await codeOf(field)).toBe('invalid_prompt')
    },
  )
})
