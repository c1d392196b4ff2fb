import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { at, bodySeenBy, type DialectPath, type DialectWorld, modelOf, startDialectWorld } from './dialect-world.ts'
import { answerOf, hello } from './upstream-answers.ts'

const messages = [{ role: 'user', content: 'Hello there my friend' }]
const schema = { type: 'object', properties: { path: { type: 'string' } } }
const chatPaths = ['/v1/chat/completions', '/v1/cursor/chat/completions'] as const satisfies DialectPath[]

describe('what editors send to the chat paths', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.forget()
    world.upstreams.openai.play({ kind: 'echo' })
  })

  async function accepted(body: JsonObject, path: DialectPath = '/v1/chat/completions'): Promise<Reply> {
    const reply = await world.post(path, { model: modelOf.groq, ...body })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  it.each(chatPaths)('[IDE-01] a body with input in place of messages is a chat completion on %s', async (path) => {
    const reply = await accepted(
      {
        model: modelOf.openai,
        instructions: 'Be brief.',
        input: [
          { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello there' }] },
          { type: 'function_call', call_id: 'call_a', name: 'read_file', arguments: '{"path":"a"}' },
          { type: 'function_call_output', call_id: 'call_a', output: 'text of a' },
          { role: 'user', content: 'And now?' },
        ],
      },
      path,
    )
    expect(reply.json).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'And now?' }, finish_reason: 'stop' }],
    })
    const call = { id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const seen = bodySeenBy(world.upstreams.openai)
    expect(seen.messages).toEqual([
      { role: 'system', content: expect.stringMatching(/Be brief\.\s+Be kind\./) },
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_a', content: 'text of a' },
      { role: 'user', content: 'And now?' },
    ])
    expect(seen).not.toHaveProperty('input')
    expect(seen).not.toHaveProperty('instructions')
    expect((await accepted({ input: 'Plain text' }, path)).json).toMatchObject({
      choices: [{ message: { content: 'Plain text' } }],
    })
  })

  it('[IDE-02] max_output_tokens reaches the upstream as max_tokens', async () => {
    const reply = await accepted({ messages, max_output_tokens: 2 })
    const seen = bodySeenBy(world.upstreams.groq)
    expect(seen.max_tokens).toBe(2)
    expect(seen).not.toHaveProperty('max_output_tokens')
    expect(at(reply.json, 'choices.0.finish_reason')).toBe('length')
  })

  it.each([
    ['previous_response_id', 'resp_1'],
    ['truncation', 'auto'],
    ['background', true],
    ['store', true],
  ])('[IDE-03] %s is stripped', async (name, value) => {
    for (const model of [modelOf.openai, modelOf.groq]) {
      for (const conversation of [{ messages }, { input: 'Hello' }])
        await accepted({ model, ...conversation, [name]: value })
    }
    for (const upstream of ['openai', 'groq'] as const) {
      expect(world.upstreams[upstream].requests).toHaveLength(2)
      for (const { body } of world.upstreams[upstream].requests) expect(body).not.toHaveProperty(name)
    }
  })

  it('[IDE-04] a flat tool reaches the upstream wrapped, beside one that is wrapped', async () => {
    const wrapped = { type: 'function', function: { name: 'list', description: 'Lists.', parameters: schema } }
    const flat = { type: 'function', name: 'read_file', description: 'Reads.', parameters: schema }
    await accepted({ messages, tools: [flat, wrapped] })
    expect(bodySeenBy(world.upstreams.groq).tools).toEqual([
      { type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: schema } },
      wrapped,
    ])
  })

  it('[IDE-05] an object that says auto is the word auto', async () => {
    const tools = [{ type: 'function', function: { name: 'list', parameters: schema } }]
    for (const type of ['auto', 'none', 'required']) {
      await accepted({ messages, tools, tool_choice: { type } })
      expect(bodySeenBy(world.upstreams.groq).tool_choice).toBe(type)
    }
    await accepted({ messages, tools, tool_choice: { type: 'function', name: 'list' } })
    expect(bodySeenBy(world.upstreams.groq).tool_choice).toEqual({ type: 'function', function: { name: 'list' } })
  })

  it('[IDE-06] service_tier reaches models of OpenAI alone', async () => {
    const reply = await accepted({ messages, service_tier: 'flex' })
    expect(bodySeenBy(world.upstreams.groq)).not.toHaveProperty('service_tier')
    expect(reply.headers.get('x-params-ignored')).toBe('service_tier')
    await accepted({ model: modelOf.openai, messages, service_tier: 'flex' })
    expect(bodySeenBy(world.upstreams.openai).service_tier).toBe('flex')
  })

  it('[IDE-06] the other fields of OpenAI are stripped elsewhere and named in a header', async () => {
    const fields = { parallel_tool_calls: false, logprobs: true, top_logprobs: 2, logit_bias: { 5: 1 }, user: 'u' }
    const reply = await accepted({ messages, ...fields, service_tier: 'flex' })
    const names = [...Object.keys(fields), 'service_tier'].sort()
    expect(reply.headers.get('x-params-ignored')?.split(/,\s*/).sort()).toEqual(names)
    for (const name of names) expect(bodySeenBy(world.upstreams.groq)).not.toHaveProperty(name)
  })

  it.each(['claude', 'gemini', 'bedrock'] as const)(
    '[IDE-06] [RESP-10] %s hears of none of them, though it has words for some',
    async (protocol) => {
      const tools = [{ type: 'function', function: { name: 'list', parameters: schema } }]
      const fields = { parallel_tool_calls: false, logprobs: true, top_logprobs: 2, logit_bias: { 5: 1 }, user: 'u' }
      const { [protocol]: simulator } = world.upstreams
      for (const [path, said] of [
        ['/v1/chat/completions', { messages }],
        ['/v1/responses', { input: 'Hello' }],
      ] as const) {
        const body = { model: modelOf[protocol], tools, ...said }
        simulator.playNext(answerOf(protocol, hello, false), answerOf(protocol, hello, false))
        await accepted(body, path)
        const reply = await accepted({ ...body, ...fields, service_tier: 'auto' }, path)
        const [plain, stripped] = simulator.requests
        expect(stripped?.rawBody).toBe(plain?.rawBody)
        const names = [...Object.keys(fields), 'service_tier'].sort()
        expect(reply.headers.get('x-params-ignored')?.split(/,\s*/).sort()).toEqual(names)
        world.forget()
      }
    },
  )

  it.each(chatPaths)('[IDE-07] the prefix weir/ changes nothing on %s', async (path) => {
    for (const model of [`weir/${modelOf.openai}`, 'weir/gpt-5.2']) {
      const reply = await accepted({ model, messages }, path)
      expect(reply.json.model).toBe(modelOf.openai)
      expect(bodySeenBy(world.upstreams.openai).model).toBe('gpt-5.2')
    }
    const unknown = await world.post(path, { model: 'weir/openai/gpt-0', messages })
    expect(at(unknown.json, 'error.code')).toBe('unknown_model')
    const twice = await world.post(path, { model: `weir/weir/${modelOf.openai}`, messages })
    expect(at(twice.json, 'error.code')).toBe('unknown_model')
  })

  it.each(chatPaths)('[IDE-08] a version may be spelled with a dot or with a hyphen on %s', async (path) => {
    const spellings = ['openai/gpt-5.2', 'openai/gpt-5-2', 'gpt-5.2', 'gpt-5-2', 'weir/gpt-5-2', 'weir/openai/GPT-5-2']
    for (const model of spellings) expect((await accepted({ model, messages }, path)).json.model).toBe('openai/gpt-5.2')
    for (const model of ['llama-3-3-70b-instruct', 'meta-llama/llama-3-3-70b-instruct']) {
      expect((await accepted({ model, messages }, path)).json.model).toBe(modelOf.groq)
    }
    // A hyphen only equals a dot between digits.
    for (const model of ['openai/gpt.5.2', 'openai/gpt-52', 'openai/gpt-5-3']) {
      const unknown = await world.post(path, { model, messages })
      expect(at(unknown.json, 'error.code')).toBe('unknown_model')
    }
  })
})
