import assert from 'node:assert/strict'
import Anthropic, { APIError, AuthenticationError, BadRequestError, RateLimitError } from '@anthropic-ai/sdk'
import { reportCases } from './report-cases.mjs'
import {
  claude,
  claudeTurn,
  emptyKey,
  failureOf,
  geminiModel,
  key,
  lastSentToClaude,
  pricedModel,
  url,
  weatherSchema,
} from './surroundings.mjs'

const weir = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
const text = 'Hello there my friend'
const messages = [{ role: 'user', content: text }]
const echo = { model: 'test/echo', max_tokens: 100, messages }
const weather = { name: 'get_weather', description: 'The weather in a city', input_schema: weatherSchema }

await reportCases({
  create: async () => {
    const answer = await weir.messages.create(echo)
    assert.equal(answer.type, 'message')
    assert.deepEqual(textOf(answer), text)
    assert.equal(answer.stop_reason, 'end_turn')
    assert.equal(answer.stop_sequence, null)
    assert.equal(answer.usage.output_tokens, 4)
  },

  'create with the key as a bearer token': async () => {
    const bearer = new Anthropic({ baseURL: url, apiKey: null, authToken: key, maxRetries: 0 })
    assert.equal(textOf(await bearer.messages.create(echo)), text)
  },

  'create at a price': async () => {
    const { data: answer, response } = await weir.messages.create({ ...echo, model: pricedModel }).withResponse()
    assert.equal(textOf(answer), text)
    assert.ok(answer.usage.input_tokens > 0)
    assert.match(response.headers.get('request-id'), /^req_/)
  },

  'create with a system of blocks, cache_control and metadata': async () => {
    const answer = await weir.beta.messages.create({
      ...echo,
      betas: ['context-management-2025-06-27'],
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      context_management: { edits: [] },
      metadata: { user_id: 'someone' },
    })
    assert.equal(textOf(answer), text)
  },

  stream: async () => {
    const events = []
    for await (const event of await weir.messages.create({ ...echo, stream: true })) events.push(event)
    assert.deepEqual(Object.keys(Object.groupBy(events, ({ type }) => type)), [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const end = events.find(({ type }) => type === 'message_delta')
    assert.equal(end.delta.stop_reason, 'end_turn')
    assert.equal(end.usage.output_tokens, 4)
  },

  '.stream() with its events and final message': async () => {
    const stream = weir.messages.stream({ ...echo, model: pricedModel })
    let streamed = ''
    stream.on('text', (delta) => {
      streamed += delta
    })
    const final = await stream.finalMessage()
    assert.equal(streamed, text)
    assert.equal(textOf(final), text)
    assert.ok(final.usage.output_tokens > 0)
  },

  '.stream() with thinking': async () => {
    const request = { ...echo, model: 'test/reasoning', max_tokens: 2_000 }
    const stream = weir.messages.stream({ ...request, thinking: { type: 'enabled', budget_tokens: 1_024 } })
    let thought = ''
    stream.on('thinking', (delta) => {
      thought += delta
    })
    const { content } = await stream.finalMessage()
    assert.deepEqual(
      content.map(({ type }) => type),
      ['thinking', 'text'],
    )
    assert.ok(thought.length > 0)
    assert.equal(content[0].thinking, thought)
  },

  'tool_use in parallel': async () => {
    const tools = [weather, { ...weather, name: 'get_time' }]
    const answer = await weir.messages.stream({ ...echo, model: 'test/tools', tools }).finalMessage()
    assert.equal(answer.stop_reason, 'tool_use')
    assert.deepEqual(
      answer.content.map(({ type, name, input }) => [type, name, input]),
      [
        ['tool_use', 'get_weather', { city: 'city' }],
        ['tool_use', 'get_time', { city: 'city' }],
      ],
    )
  },

  'tool runner in two steps': () => toolRunner(false),
  'tool runner in two steps, streamed': () => toolRunner(true),

  'two turns with Claude, whose signed thought returns': () => claudeTurns((request) => weir.messages.create(request)),
  'two turns with Claude, streamed': () => claudeTurns((request) => weir.messages.stream(request).finalMessage()),

  'a stream from Gemini': async () => {
    const answer = await weir.messages.stream({ ...echo, model: geminiModel }).finalMessage()
    assert.equal(textOf(answer), 'Hello')
    assert.equal(answer.stop_reason, 'end_turn')
  },

  'cut off by max_tokens': async () => {
    const answer = await weir.messages.create({ ...echo, max_tokens: 2 })
    assert.equal(answer.stop_reason, 'max_tokens')
  },

  countTokens: async () => {
    const { input_tokens: count } = await weir.messages.countTokens({ model: claude.model, messages, tools: [weather] })
    assert.ok(count > 0)
  },

  'a key that is none: 401': async () => {
    const nobody = new Anthropic({ baseURL: url, apiKey: 'sk-weir-nobody-has-this-one', maxRetries: 0 })
    const error = await failureOf(() => nobody.messages.create(echo))
    assert.ok(error instanceof AuthenticationError)
    assert.equal(error.type, 'authentication_error')
    assert.match(error.requestID, /^req_/)
  },

  'no credits: 402': async () => {
    const empty = new Anthropic({ baseURL: url, apiKey: emptyKey, maxRetries: 0 })
    const error = await failureOf(() => empty.messages.create({ ...echo, model: pricedModel }))
    assert.ok(error instanceof APIError)
    assert.equal(error.status, 402)
    assert.match(error.message, /credits/i)
  },

  'a model that is none: 400': async () => {
    const error = await failureOf(() => weir.messages.create({ ...echo, model: 'nobody/nothing' }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.type, 'invalid_request_error')
  },

  'an upstream that limits: 429': async () => {
    const error = await failureOf(() => weir.messages.create({ ...echo, model: 'test/error-429' }))
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.type, 'rate_limit_error')
  },

  'an error event in the middle of a stream': async () => {
    const events = []
    const error = await failureOf(async () => {
      const request = { ...echo, model: 'test/stream-error', stream: true }
      for await (const event of await weir.messages.create(request)) events.push(event)
    })
    assert.ok(error instanceof APIError)
    assert.equal(error.type, 'api_error')
    assert.ok(events.some(({ type }) => type === 'content_block_delta'))
  },

  'models.list': async () => {
    const ids = []
    for await (const model of weir.models.list()) ids.push(model.id)
    assert.ok(ids.includes(claude.model))
    assert.equal(new Set(ids).size, ids.length)
  },

  'models.retrieve': async () => {
    const model = await weir.models.retrieve(claude.model)
    assert.equal(model.id, claude.model)
    assert.equal(model.type, 'model')
    assert.ok(model.display_name.length > 0)
  },
})

function textOf({ content }) {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

async function toolRunner(stream) {
  const seen = []
  const run = async ({ city }) => {
    seen.push(city)
    return 'sunny'
  }
  const tools = [{ ...weather, type: 'custom', run, parse: (input) => input }]
  const runner = weir.beta.messages.toolRunner({ ...echo, model: 'test/tools', tools, stream })
  const final = await runner.runUntilDone()
  assert.deepEqual(seen, ['city'])
  assert.ok(textOf(final).length > 0)
}

async function claudeTurns(call) {
  const thinking = { type: 'enabled', budget_tokens: 1_024 }
  const request = { model: claude.model, max_tokens: 2_000, tools: [weather], thinking }
  const { content, stop_reason: reason } = await call({ ...request, messages })
  assert.equal(reason, 'tool_use')
  const [thought, toolUse] = content
  assert.equal(thought.signature, claude.signature)
  assert.deepEqual(toolUse.input, { city: 'Oslo' })
  const result = { type: 'tool_result', tool_use_id: toolUse.id, content: 'sunny' }
  const turns = [...messages, { role: 'assistant', content }, { role: 'user', content: [result] }]
  await call({ ...request, messages: turns })
  const sent = claudeTurn(await lastSentToClaude())
  assert.deepEqual(sent[0], { type: 'thinking', thinking: claude.thought, signature: claude.signature })
  assert.equal(sent[1].id, claude.callId)
}
