import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { loadTokenCounter } from '#lib/token-counter.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'

const small = 'mistralai/mistral-7b-instruct-v0.1'
const large = 'openai/gpt-4o-mini'

let world: ChatWorld
beforeAll(async () => {
  await loadTokenCounter()
  world = await startChatWorld()
  const { gateway, openai } = world
  await gateway.addProvider({ vendor: 'openai', name: 'all', url: `${openai.url}/v1`, pattern: '*' })
})
afterAll(() => world.close())

/** About 120 tokens per message. */
function conversation(messageCount: number): { role: string; content: string }[] {
  const talk = Array.from({ length: messageCount - 2 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Number ${index}: ${'the tide comes in and the boats go out again; '.repeat(10)}`,
  }))
  return [{ role: 'system', content: 'Be brief.' }, ...talk, { role: 'user', content: 'And what did I ask first?' }]
}

function sentMessages(): JsonValue[] {
  const body = world.openai.requests.at(-1)?.body
  if (!isJsonObject(body) || !Array.isArray(body.messages)) throw new Error('nothing was sent upstream')
  return body.messages
}

describe('a conversation that is longer than the context', () => {
  it('[TRIM-01] loses its middle on a small model, and keeps first and last', async () => {
    const messages = conversation(120)
    const reply = await world.chat({ model: small, messages })
    expect(reply.status).toBe(200)
    const sent = sentMessages()
    expect(sent.length).toBeLessThan(80)
    expect(sent.length).toBeGreaterThan(40)
    expect(sent.slice(0, 10)).toEqual(messages.slice(0, 10))
    expect(sent.slice(-10)).toEqual(messages.slice(-10))
  })

  it('[TRIM-01] loses more of it where the answer may be long', async () => {
    await world.chat({ model: small, messages: conversation(120) })
    const without = sentMessages().length
    await world.chat({ model: small, messages: conversation(120), max_tokens: 3_000 })
    expect(sentMessages().length).toBeLessThan(without - 15)
  })

  it('[TRIM-01] is held and charged for as what is sent, so that a small balance is enough', async () => {
    const caller = await world.caller({ usd: '0.002' })
    // The whole conversation would be 36,000 tokens at 0.12 dollars per million.
    const reply = await world.chat({ model: small, messages: conversation(300), max_tokens: 500 }, { as: caller })
    expect(reply.status).toBe(200)
  })

  it('[TRIM-01] is sent whole where it fits', async () => {
    const messages = conversation(40)
    expect((await world.chat({ model: small, messages })).status).toBe(200)
    expect(sentMessages()).toEqual(messages)
  })

  it('[TRIM-02] is refused on a small model with `transforms: []`', async () => {
    world.forget()
    const reply = await world.chat({ model: small, messages: conversation(120), transforms: [] })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code: 'context_too_long' } })
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[TRIM-03] is refused on a larger model, and trimmed there with `middle-out`', async () => {
    const messages = conversation(1_400)
    const refused = await world.chat({ model: large, messages })
    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ error: { code: 'context_too_long' } })
    const reply = await world.chat({ model: large, messages, transforms: ['middle-out'] })
    expect(reply.status).toBe(200)
    expect(sentMessages().length).toBeLessThan(1_100)
    expect(sentMessages()[0]).toEqual(messages[0])
    expect(sentMessages().at(-1)).toEqual(messages.at(-1))
  })

  it('[TRIM-03] is refused where its ends alone are too long', async () => {
    const messages = [{ role: 'user', content: 'the tide comes in and goes out. '.repeat(3_000) }]
    const reply = await world.chat({ model: small, messages })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ error: { code: 'context_too_long' } })
  })

  it('[TRIM-03] is left to the upstream where it fits, and only the answer that was asked for does not', async () => {
    const messages = [{ role: 'user', content: 'the tide comes in and goes out. '.repeat(700) }]
    expect((await world.chat({ model: small, messages, max_tokens: 8_000 })).status).toBe(200)
    expect(sentMessages()).toEqual(messages)
  })

  it('[TRIM-03] is trimmed for the model that needs it, and whole for the next', async () => {
    const messages = conversation(120)
    const models = [small, 'openai/gpt-5.2']
    const reply = await world.chat({ model: small, models, messages, transforms: ['middle-out'] })
    expect(reply.status).toBe(200)
    expect(sentMessages().length).toBeLessThan(80)
    await world.chat({ model: 'openai/gpt-5.2', models: ['openai/gpt-5.2', small], messages })
    expect(sentMessages()).toEqual(messages)
  })

  it('[TRIM-01] never loses a tool call without its results', async () => {
    const rounds = Array.from({ length: 60 }, (_, index) => [
      { role: 'user', content: `Question ${index}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `call_${index}`, content: 'the tide comes in and goes out. '.repeat(40) },
    ])
    const messages = [...rounds.flat(), { role: 'user', content: 'Thanks. And now?' }]
    expect((await world.chat({ model: small, messages })).status).toBe(200)
    const sent = sentMessages().filter(isJsonObject)
    expect(sent.length).toBeLessThan(messages.length)
    const made = sent.flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? calls : [])).filter(isJsonObject)
    const answered = sent.filter(({ role }) => role === 'tool')
    expect(made.map(({ id }) => id)).toEqual(answered.map(({ tool_call_id: id }) => id))
  })
})

describe('in the other dialects', () => {
  const tide = 'the tide comes in and the boats go out again; '.repeat(10)

  it('[TRIM-01] a history in `input` loses its middle, and no call without its output', async () => {
    const rounds = Array.from({ length: 40 }, (_, index) => [
      { role: 'user', content: `Question ${index}` },
      { type: 'function_call', call_id: `call_${index}`, name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: `call_${index}`, output: tide.repeat(3) },
    ])
    const input = [...rounds.flat(), { role: 'user', content: 'And now?' }]
    const reply = await world.chat({ model: small, input, messages: undefined }, { path: '/v1/responses' })
    expect(reply.status).toBe(200)
    const sent = sentMessages().filter(isJsonObject)
    expect(sent.length).toBeLessThan(input.length)
    expect(sent.at(-1)).toMatchObject({ content: 'And now?' })
    const calls = sent.flatMap(({ tool_calls: made }) => (Array.isArray(made) ? made : [])).filter(isJsonObject)
    expect(calls.map(({ id }) => id)).toEqual(
      sent.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id),
    )
  })

  it('[TRIM-02] [TRIM-03] messages lose their middle, unless that is forbidden', async () => {
    const messages = conversation(120).slice(1)
    const body = { model: small, system: 'Be brief.', messages, max_tokens: 100 }
    const reply = await world.chat(body, { path: '/v1/messages' })
    expect(reply.status).toBe(200)
    expect(sentMessages().length).toBeLessThan(80)
    const refused = await world.chat({ ...body, transforms: [] }, { path: '/v1/messages' })
    expect(refused.status).toBe(400)
  })
})

it.each([[['middle-in']], [['middle-out', 'other']], ['middle-out'], [{}]])(
  '[TRIM-04] `transforms` as %j is refused',
  async (transforms) => {
    const reply = await world.chat({ model: small, transforms })
    expect(reply.status).toBe(400)
  },
)

describe('[TRIM-05] Claude', () => {
  it.each([[undefined], [['middle-out']]])(
    'takes 1,000 messages and not one more, with `transforms` %j',
    async (transforms) => {
      const model = 'anthropic/claude-haiku-4.5'
      const reply = await world.chat({ model, messages: tiny(1_001), ...(transforms && { transforms }) })
      expect(reply.status).toBe(400)
      const fits = await world.chat({ model, messages: tiny(1_000), ...(transforms && { transforms }) })
      expect(fits.status).toBe(200)
      const other = await world.chat({ model: 'openai/gpt-5.2', messages: tiny(1_001) })
      expect(other.status).toBe(200)
    },
  )
})

function tiny(count: number): { role: string; content: string }[] {
  return Array.from({ length: count }, () => ({ role: 'user', content: 'x' }))
}
