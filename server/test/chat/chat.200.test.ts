import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { bodySeenBy, type ChatWorld, choicesOf, llama, startChatWorld, usageOf } from './chat-world.ts'

describe('the answer of POST /v1/chat/completions', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  it('[CHAT-01] is a chat completion with choices', async () => {
    const reply = await world.chat({ model: 'openai/gpt-5.2' })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(reply.json.object).toBe('chat.completion')
    expect(choicesOf(reply).length).toBeGreaterThanOrEqual(1)
    expect(world.openai.requests).toHaveLength(1)
  })

  it('[CHAT-03] is one document unless a stream is asked for', async () => {
    for (const stream of [undefined, false]) {
      const reply = await world.chat({ stream })
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(reply.json.object).toBe('chat.completion')
      expect(bodySeenBy(world.openai).stream).not.toBe(true)
    }
    const streamed = await world.chat({ stream: true })
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
  })

  it('[CHAT-08] has two choices for n:2, and usage that covers both', async () => {
    const one = await world.chat({ n: 1 })
    const two = await world.chat({ n: 2 })
    expect(choicesOf(two).map(({ index }) => index)).toEqual([0, 1])
    expect(bodySeenBy(world.openai).n).toBe(2)
    expect(usageOf(two).completion_tokens).toBe(2 * Number(usageOf(one).completion_tokens))
    expect(usageOf(two).prompt_tokens).toBe(usageOf(one).prompt_tokens)
    expect(Number(usageOf(two).cost)).toBeGreaterThan(Number(usageOf(one).cost))
  })

  it('[CHAT-16] shows the log-probabilities of an OpenAI model', async () => {
    const logprobs = { content: [{ token: 'Hi', logprob: -0.25, bytes: [72, 105], top_logprobs: [] }], refusal: null }
    world.openai.playNext(
      jsonAnswer(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_790_000_000,
        model: 'gpt-5.2',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, logprobs, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
      }),
    )
    const reply = await world.chat({ logprobs: true })
    expect(bodySeenBy(world.openai).logprobs).toBe(true)
    expect(choicesOf(reply)[0]?.logprobs).toEqual(logprobs)
  })

  it('[CHAT-39] has an id that GET /v1/generation knows, streamed or not', async () => {
    const caller = await world.caller()
    for (const stream of [false, true]) {
      const reply = await world.chat({ stream }, { as: caller })
      const id = stream ? reply.chunks[0]?.id : reply.json.id
      expect(id).toEqual(expect.stringMatching(/^\S+$/))
      expect(reply.headers.get('x-generation-id')).toBe(id)
      const response = await world.gateway.as(caller).get(`/v1/generation?id=${String(id)}`)
      expect(response.status).toBe(200)
      expect(response.json).toMatchObject({ data: { id, streamed: stream } })
    }
  })

  it('[CHAT-40] was created at the time of the call, in whole seconds', async () => {
    const before = Math.floor(Date.now() / 1_000)
    const { json } = await world.chat({})
    expect(Number.isInteger(json.created)).toBe(true)
    expect(json.created).toBeGreaterThanOrEqual(before)
    expect(json.created).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000))
  })

  it('[CHAT-41] names the model as the catalogue does, never as the upstream does', async () => {
    for (const stream of [false, true]) {
      const reply = await world.chat({ model: llama, stream })
      expect(bodySeenBy(world.groq).model).toBe('llama-3.3-70b-versatile')
      const models = stream ? reply.chunks.map(({ model }) => model) : [reply.json.model]
      expect(new Set(models)).toEqual(new Set([llama]))
      expect(reply.text).not.toContain('versatile')
    }
    const short = await world.chat({ model: 'gpt-5.2' })
    expect(short.json.model).toBe('openai/gpt-5.2')
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['SAFETY', 'content_filter'],
    ['tool_use', 'tool_calls'],
    ['a_word_of_tomorrow', 'stop'],
    [null, null],
  ])('[CHAT-42] translates the finish reason %s to %s and keeps the upstream word', async (word, expected) => {
    world.openai.playNext(
      jsonAnswer(200, {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'gpt-5.2',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: word }],
        usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
      }),
    )
    const [choice] = choicesOf(await world.chat({}))
    expect(choice?.finish_reason).toBe(expected)
    // If the upstream's word equals ours, there is no native finish reason.
    expect(choice?.native_finish_reason).toBe(word === expected ? undefined : word)
  })

  it('[CHAT-43] has an assistant message, with tool calls only when tools were called', async () => {
    const plain = choicesOf(await world.chat({}))[0]?.message
    expect(plain).toMatchObject({ role: 'assistant', content: expect.any(String) })
    expect(plain).not.toHaveProperty('tool_calls')
    const calls = [{ id: 'call_1', name: 'look', arguments: ['{"at":', '"x"}'] }]
    world.openai.playNext(vendorCompletion('openai', { kind: 'tools', calls }))
    const [choice] = choicesOf(await world.chat({}))
    expect(choice?.message).toMatchObject({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"x"}' } }],
    })
  })

  it('[CHAT-44] leaves out who served it, and passes on what only some upstreams say', async () => {
    const document = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-5.2',
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    }
    world.openai.playNext(
      jsonAnswer(200, {
        ...document,
        provider: 'Canary Inc',
        system_fingerprint: 'fp_44',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hi', reasoning: 'thinking' },
            finish_reason: 'stop',
            native_finish_reason: 'end_turn',
          },
        ],
      }),
      jsonAnswer(200, {
        ...document,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      }),
      vendorStream('openrouter', { kind: 'text', pieces: ['Hel', 'lo'] }),
    )
    const supplied = await world.chat({})
    expect(supplied.text).not.toContain('Canary')
    expect(supplied.json).not.toHaveProperty('provider')
    expect(supplied.json.system_fingerprint).toBe('fp_44')
    expect(choicesOf(supplied)[0]).toMatchObject({
      native_finish_reason: 'end_turn',
      message: { reasoning: 'thinking' },
    })
    const bare = await world.chat({})
    expect(bare.json).not.toHaveProperty('system_fingerprint')
    expect(choicesOf(bare)[0]).not.toHaveProperty('native_finish_reason')
    expect(choicesOf(bare)[0]?.message).not.toHaveProperty('reasoning')
    const streamed = await world.chat({ stream: true })
    expect(streamed.sawDone).toBe(true)
    expect(streamed.chunks.every((chunk) => isJsonObject(chunk) && !('provider' in chunk))).toBe(true)
  })
})
