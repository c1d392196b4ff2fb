import assert from 'node:assert/strict'
import OpenAI, { APIError, BadRequestError, RateLimitError } from 'openai'
import { reportCases } from './report-cases.mjs'
import {
  baseURL,
  claude,
  claudeTurn,
  emptyKey,
  failureOf,
  geminiModel,
  key,
  lastSentToClaude,
  pricedModel,
  weatherSchema,
} from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const input = 'Hello there my friend'
const echo = { model: 'test/echo', input }
const weather = { type: 'function', name: 'get_weather', parameters: weatherSchema, strict: false }

await reportCases({
  create: async () => {
    const answer = await weir.responses.create(echo)
    assert.equal(answer.output_text, input)
    assert.equal(answer.status, 'completed')
    assert.equal(answer.usage.output_tokens, 4)
    assert.equal(answer.usage.input_tokens_details.cached_tokens, 0)
    assert.equal(answer.usage.output_tokens_details.reasoning_tokens, 0)
  },

  'create at a price': async () => {
    const answer = await weir.responses.create({ model: pricedModel, input, instructions: 'Be brief.' })
    assert.equal(answer.output_text, input)
    assert.equal(answer.instructions, 'Be brief.')
    assert.ok(answer.usage.input_tokens > 0)
  },

  'create with messages and parts': async () => {
    const content = [{ type: 'input_text', text: input }]
    const answer = await weir.responses.create({
      ...echo,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content },
      ],
    })
    assert.equal(answer.output_text, input)
  },

  stream: async () => {
    const events = await eventsOf({ ...echo, stream: true })
    assert.deepEqual(
      events.map((event) => event.sequence_number),
      events.map((_, index) => index),
    )
    assert.deepEqual(Object.keys(Object.groupBy(events, ({ type }) => type)), [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    assert.equal(textOf(events), input)
    assert.equal(events.at(-1).response.usage.output_tokens, 4)
  },

  'stream at a price': async () => {
    const events = await eventsOf({ model: pricedModel, input, stream: true })
    assert.equal(textOf(events), input)
    assert.equal(events.at(-1).type, 'response.completed')
  },

  '.stream() with its events and final response': async () => {
    const stream = weir.responses.stream(echo)
    let snapshot = ''
    stream.on('response.output_text.delta', (event) => {
      snapshot = event.snapshot
    })
    const final = await stream.finalResponse()
    assert.equal(final.output_text, input)
    assert.equal(snapshot, input)
  },

  '.stream() with reasoning': async () => {
    const final = await weir.responses.stream({ ...echo, model: 'test/reasoning' }).finalResponse()
    const [reasoning, message] = final.output
    assert.equal(reasoning.type, 'reasoning')
    assert.ok(reasoning.summary[0].text.length > 0)
    assert.equal(message.type, 'message')
    assert.ok(final.usage.output_tokens_details.reasoning_tokens > 0)
  },

  '.stream() with tool calls in parallel': async () => {
    const tools = [weather, { ...weather, name: 'get_time' }]
    const final = await weir.responses.stream({ ...echo, model: 'test/tools', tools }).finalResponse()
    assert.deepEqual(
      final.output.map(({ type, name, arguments: text }) => [type, name, text]),
      [
        ['function_call', 'get_weather', '{"city":"city"}'],
        ['function_call', 'get_time', '{"city":"city"}'],
      ],
    )
  },

  'a round trip with a tool': () => toolRoundTrip((request) => weir.responses.create(request)),
  'a round trip with a tool, streamed': () =>
    toolRoundTrip((request) => weir.responses.stream(request).finalResponse()),

  'two turns with Claude, whose signed thought returns': () => claudeTurns((request) => weir.responses.create(request)),
  'two turns with Claude, streamed': () => claudeTurns((request) => weir.responses.stream(request).finalResponse()),

  'a stream from Gemini': async () => {
    const final = await weir.responses.stream({ model: geminiModel, input }).finalResponse()
    assert.equal(final.output_text, 'Hello')
    assert.equal(final.status, 'completed')
  },

  'parse with a schema': async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    const answer = await weir.responses.parse({
      ...echo,
      model: 'test/json',
      text: { format: { type: 'json_schema', name: 'person', schema } },
    })
    assert.deepEqual(JSON.parse(answer.output_text), { age: 0 })
  },

  'cut off by max_output_tokens': async () => {
    const answer = await weir.responses.create({ ...echo, max_output_tokens: 2 })
    assert.equal(answer.status, 'incomplete')
    assert.equal(answer.incomplete_details.reason, 'max_output_tokens')
  },

  'no credits: 402': async () => {
    const empty = new OpenAI({ baseURL, apiKey: emptyKey, maxRetries: 0 })
    const error = await failureOf(() => empty.responses.create({ model: pricedModel, input }))
    assert.ok(error instanceof APIError)
    assert.equal(error.status, 402)
    assert.equal(error.code, 'insufficient_credits')
  },

  'a model that is none: 400': async () => {
    const error = await failureOf(() => weir.responses.create({ ...echo, model: 'nobody/nothing' }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.code, 'unknown_model')
  },

  'an upstream that limits: 429': async () => {
    const error = await failureOf(() => weir.responses.create({ ...echo, model: 'test/error-429' }))
    assert.ok(error instanceof RateLimitError)
  },

  'an error in the middle of a stream': async () => {
    const events = await eventsOf({ ...echo, model: 'test/stream-error', stream: true })
    const last = events.at(-1)
    assert.equal(last.type, 'response.failed')
    assert.equal(last.response.status, 'failed')
    assert.equal(typeof last.response.error.code, 'string')
    assert.ok(textOf(events).length > 0)
  },

  'an aborted stream': async () => {
    const stream = await weir.responses.create({ ...echo, model: 'test/drip-50', stream: true })
    let count = 0
    for await (const event of stream) {
      count += 1
      if (event.type === 'response.output_text.delta') stream.controller.abort()
    }
    assert.ok(count < 10)
  },
})

async function eventsOf(request) {
  const events = []
  for await (const event of await weir.responses.create(request)) events.push(event)
  return events
}

function textOf(events) {
  return events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
}

async function toolRoundTrip(call) {
  const request = { model: 'test/tools', tools: [weather], store: false, include: ['reasoning.encrypted_content'] }
  const question = { role: 'user', content: input }
  const first = await call({ ...request, input: [question] })
  const [item] = first.output
  assert.equal(item.status, 'completed')
  assert.deepEqual(JSON.parse(item.arguments), { city: 'city' })
  const output = { type: 'function_call_output', call_id: item.call_id, output: 'sunny' }
  const second = await call({ ...request, input: [question, ...first.output, output] })
  assert.ok(second.output_text.length > 0)
}

async function claudeTurns(call) {
  const request = { model: claude.model, tools: [weather], store: false, include: ['reasoning.encrypted_content'] }
  const question = { role: 'user', content: input }
  const { output } = await call({ ...request, input: [question] })
  assert.deepEqual(
    output.map(({ type }) => type),
    ['reasoning', 'function_call'],
  )
  const result = { type: 'function_call_output', call_id: output[1].call_id, output: 'sunny' }
  await call({ ...request, input: [question, ...output, result] })
  const [thinking, toolUse] = claudeTurn(await lastSentToClaude())
  assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
  assert.equal(toolUse.id, claude.callId)
}
