import assert from 'node:assert/strict'
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { expectedFailure, reportCases } from './report-cases.mjs'
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
  readGeneration,
  weatherSchema,
} from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const messages = [{ role: 'user', content: 'Hello there my friend' }]
const echo = { model: 'test/echo', messages }

await reportCases({
  create: async () => {
    const answer = await weir.chat.completions.create(echo)
    assert.equal(answer.choices[0].message.content, 'Hello there my friend')
    assert.equal(answer.choices[0].finish_reason, 'stop')
    assert.equal(answer.usage.completion_tokens, 4)
    assert.equal(answer.usage.cost, 0)
  },

  'create at a price': async () => {
    const { data: answer, response } = await weir.chat.completions
      .create({ model: pricedModel, messages, max_tokens: 50 })
      .withResponse()
    assert.ok(answer.usage.cost > 0)
    assert.match(response.headers.get('x-request-id'), /^req_/)
    assert.equal(response.headers.get('x-generation-id'), answer.id)
    assert.equal((await readGeneration(answer.id)).total_cost, answer.usage.cost)
  },

  stream: async () => {
    const chunks = []
    for await (const chunk of await weir.chat.completions.create({ ...echo, stream: true })) chunks.push(chunk)
    assert.equal(textOf(chunks), 'Hello there my friend')
    assert.equal(chunks.at(-1).choices[0].finish_reason, 'stop')
    assert.equal(chunks.at(-1).usage.total_tokens, 10)
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1)
  },

  'stream at a price': async () => {
    const request = { model: pricedModel, messages, stream: true, stream_options: { include_usage: true } }
    const chunks = []
    for await (const chunk of await weir.chat.completions.create(request)) chunks.push(chunk)
    const { usage } = chunks.findLast((chunk) => chunk.usage)
    assert.ok(usage.cost > 0)
    assert.equal((await readGeneration(chunks[0].id)).total_cost, usage.cost)
  },

  '.stream() with its events and final completion': async () => {
    const stream = weir.chat.completions.stream({ ...echo, model: 'test/text' })
    let text = ''
    stream.on('content', (delta) => {
      text += delta
    })
    const final = await stream.finalChatCompletion()
    assert.equal(final.choices[0].message.content, text)
    assert.ok(text.length > 0)
    assert.ok((await stream.totalUsage()).total_tokens > 0)
  },

  '.stream() with tool calls': async () => {
    const final = await weir.chat.completions
      .stream({ ...echo, model: 'test/tools', tools: [toolOf('get_weather'), toolOf('get_time')] })
      .finalChatCompletion()
    assert.deepEqual(
      final.choices[0].message.tool_calls.map((call) => [call.function.name, call.function.arguments]),
      [
        ['get_weather', '{"city":"city"}'],
        ['get_time', '{"city":"city"}'],
      ],
    )
    assert.equal(final.choices[0].finish_reason, 'tool_calls')
  },

  'runTools in two steps': () => runTools(false),
  'runTools in two steps, streamed': () => runTools(true),

  'response_format with a schema': async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    const answer = await weir.chat.completions.parse({
      ...echo,
      model: 'test/json',
      response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
    })
    assert.deepEqual(JSON.parse(answer.choices[0].message.content), { age: 0 })
  },

  'two turns with Claude, whose signed thought returns': () =>
    claudeTurns(async (request) => (await weir.chat.completions.create(request)).choices[0].message),
  'two turns with Claude, streamed and joined by the caller': () => claudeTurns(joinedMessage),
  // For an unknown field `.stream()` keeps the last delta: here the signature without its text.
  'expected: .stream() loses the text of a signed thought': expectedFailure(/thinking: ''/, () =>
    claudeTurns(
      async (request) => (await weir.chat.completions.stream(request).finalChatCompletion()).choices[0].message,
    ),
  ),

  'a stream from Gemini': async () => {
    const final = await weir.chat.completions.stream({ ...echo, model: geminiModel }).finalChatCompletion()
    assert.equal(final.choices[0].message.content, 'Hello')
    assert.equal(final.choices[0].finish_reason, 'stop')
  },

  'a key that is none: 401': () =>
    refused(new OpenAI({ baseURL, apiKey: 'sk-weir-nobody-has-this-one', maxRetries: 0 }), echo, {
      class: AuthenticationError,
      status: 401,
    }),

  'no credits: 402': () =>
    refused(
      new OpenAI({ baseURL, apiKey: emptyKey, maxRetries: 0 }),
      { model: pricedModel, messages },
      { class: APIError, status: 402, code: 'insufficient_credits' },
    ),

  'a model that is none: 400': () =>
    refused(
      weir,
      { ...echo, model: 'nobody/nothing' },
      { class: BadRequestError, status: 400, code: 'unknown_model' },
    ),

  'an upstream that limits: 429': async () => {
    const error = await refused(
      weir,
      { ...echo, model: 'test/error-429' },
      { class: RateLimitError, status: 429, code: 'upstream_rate_limited' },
    )
    assert.ok(Number(error.headers.get('retry-after')) >= 1)
  },

  'an error in the middle of a stream': async () => {
    const chunks = []
    const error = await failureOf(async () => {
      const request = { ...echo, model: 'test/stream-error', stream: true }
      for await (const chunk of await weir.chat.completions.create(request)) chunks.push(chunk)
    })
    assert.ok(error instanceof APIError)
    assert.equal(error.code, 'upstream_unavailable')
    assert.ok(textOf(chunks).length > 0)
  },

  'an aborted stream': async () => {
    const stream = await weir.chat.completions.create({ ...echo, model: 'test/drip-50', stream: true })
    const chunks = []
    for await (const chunk of stream) {
      chunks.push(chunk)
      stream.controller.abort()
    }
    const record = await readGeneration(chunks[0].id)
    assert.equal(record.cancelled, true)
    assert.equal(record.total_cost, 0)
  },

  'models.list': async () => {
    const ids = []
    for await (const model of weir.models.list()) ids.push(model.id)
    assert.ok(ids.includes(pricedModel))
    assert.equal(new Set(ids).size, ids.length)
  },

  'models.retrieve, whose id is percent-encoded': async () => {
    const model = await weir.models.retrieve(pricedModel)
    assert.equal(model.id, pricedModel)
    assert.equal(model.object, 'model')
    assert.equal(model.owned_by, 'openai')
  },

  'a model that is none: 404': async () => {
    const error = await failureOf(() => weir.models.retrieve('nobody/nothing'))
    assert.ok(error instanceof NotFoundError)
    assert.equal(error.code, 'model_not_found')
  },
})

function textOf(chunks) {
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
}

function toolOf(name, run) {
  return { type: 'function', function: { name, parameters: weatherSchema, ...run } }
}

async function runTools(stream) {
  const seen = []
  const run = {
    parse: JSON.parse,
    function: ({ city }) => {
      seen.push(city)
      return 'sunny'
    },
  }
  const tools = [toolOf('get_weather', run)]
  const runner = weir.chat.completions.runTools({ model: 'test/tools', messages, stream, tools })
  const text = await runner.finalContent()
  assert.deepEqual(seen, ['city'])
  assert.ok(text.length > 0)
  assert.deepEqual(
    runner.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
}

async function claudeTurns(call) {
  const request = { model: claude.model, messages, tools: [toolOf('get_weather')] }
  const message = await call(request)
  assert.equal(message.tool_calls[0].function.arguments, '{"city":"Oslo"}')
  const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'sunny' }
  await weir.chat.completions.create({ ...request, messages: [...messages, message, result] })
  const [thinking, toolUse] = claudeTurn(await lastSentToClaude())
  assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
  assert.equal(toolUse.id, claude.callId)
}

/** A streamed message with its `reasoning_details` joined by their index. */
async function joinedMessage(request) {
  const stream = weir.chat.completions.stream(request)
  const details = []
  for await (const chunk of stream) {
    for (const detail of chunk.choices[0]?.delta.reasoning_details ?? []) {
      const known = details[detail.index]
      details[detail.index] = { ...known, ...detail, text: (known?.text ?? '') + (detail.text ?? '') }
    }
  }
  const { message } = (await stream.finalChatCompletion()).choices[0]
  return { ...message, reasoning_details: details }
}

async function refused(client, request, expected) {
  const error = await failureOf(() => client.chat.completions.create(request))
  assert.ok(error instanceof expected.class, `${error}`)
  assert.equal(error.status, expected.status)
  if (expected.code !== undefined) assert.equal(error.code, expected.code)
  assert.match(error.requestID, /^req_/)
  return error
}
