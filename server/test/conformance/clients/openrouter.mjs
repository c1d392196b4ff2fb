import assert from 'node:assert/strict'
import { OpenRouter } from '@openrouter/sdk'
import { expectedFailure, reportCases } from './report-cases.mjs'
import {
  baseURL,
  claude,
  emptyKey,
  geminiModel,
  key,
  pricedModel,
  readGeneration,
  weatherSchema,
} from './surroundings.mjs'

const weir = new OpenRouter({ serverURL: baseURL, apiKey: key, retryConfig: { strategy: 'none' } })
const empty = new OpenRouter({ serverURL: baseURL, apiKey: emptyKey, retryConfig: { strategy: 'none' } })
const text = 'Hello there my friend'
const messages = [{ role: 'user', content: text }]
const weather = { name: 'get_weather', parameters: weatherSchema }
const chatTools = [{ type: 'function', function: weather }]
const responsesTools = [{ type: 'function', ...weather }]

// This client rejects a response that lacks a field of its schemas or has another type, even if it needs neither.
await reportCases({
  'chat.send at a price': async () => {
    const answer = await chat({ model: pricedModel })
    assert.equal(answer.choices[0].message.content, text)
    assert.ok(answer.usage.cost > 0)
  },

  'chat.send, streamed': async () => {
    const chunks = await collect(chat({ model: 'test/echo', stream: true }))
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), text)
    assert.equal(chunks.at(-1).usage.completionTokens, 4)
  },

  'chat.send with reasoning, streamed': async () => {
    const chunks = await collect(chat({ model: 'test/reasoning', stream: true }))
    assert.ok(chunks.some(({ choices }) => choices[0]?.delta.reasoning?.length > 0))
  },

  'chat.send with tools, streamed': async () => {
    const chunks = await collect(chat({ model: 'test/tools', tools: chatTools, stream: true }))
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.toolCalls ?? [])
    assert.equal(calls.map((call) => call.function.arguments ?? '').join(''), '{"city":"city"}')
  },

  'chat.send to Claude, streamed': async () => {
    const chunks = await collect(chat({ model: claude.model, tools: chatTools, stream: true }))
    const details = chunks.flatMap(({ choices }) => choices[0]?.delta.reasoningDetails ?? [])
    assert.ok(details.some(({ signature }) => signature === claude.signature))
    assert.equal(chunks.findLast(({ choices }) => choices.length > 0).choices[0].finishReason, 'tool_calls')
  },

  'chat.send to Gemini, streamed': async () => {
    const chunks = await collect(chat({ model: geminiModel, stream: true }))
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'Hello')
  },

  'responses.send': async () => {
    const answer = await responses({ model: 'test/reasoning' })
    assert.deepEqual(
      answer.output.map(({ type }) => type),
      ['reasoning', 'message'],
    )
  },

  'responses.send, streamed': async () => {
    const events = await collect(responses({ model: 'test/echo', stream: true }))
    assert.equal(events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join(''), text)
    assert.equal(events.at(-1).type, 'response.completed')
  },

  'responses.send with tools, streamed': async () => {
    const events = await collect(responses({ model: 'test/tools', tools: responsesTools, stream: true }))
    const [item] = events.at(-1).response.output
    assert.equal(item.type, 'function_call')
    assert.equal(item.arguments, '{"city":"city"}')
  },

  'responses.send to Claude, streamed': async () => {
    const events = await collect(responses({ model: claude.model, tools: responsesTools, stream: true }))
    assert.deepEqual(
      events.at(-1).response.output.map(({ type }) => type),
      ['reasoning', 'function_call'],
    )
  },

  'an error in the middle of a stream of responses': async () => {
    const events = await collect(responses({ model: 'test/stream-error', stream: true }))
    assert.equal(events.at(-1).type, 'response.failed')
    assert.equal(typeof events.at(-1).response.error.code, 'string')
  },

  'credits.getCredits': async () => {
    const { data } = await weir.credits.getCredits()
    assert.equal(data.totalCredits, 25)
    assert.ok(data.totalUsage > 0)
  },

  // The gateway relays a vendor's fingerprint and invents none for the others.
  'expected: chat.send wants a fingerprint': expectedFailure(/"system_fingerprint"/, () => chat({ model: 'test/echo' })),

  // Our codes are strings, the same in all three interfaces; this client expects the status again.
  'expected: an error of chat has a number as its code': expectedFailure(numberAsCode(), () =>
    chat({ model: 'nobody/nothing' }),
  ),
  'expected: an error of responses has a number as its code': expectedFailure(numberAsCode(), () =>
    empty.responses.send({ responsesRequest: { model: pricedModel, input: text } }),
  ),
  'expected: an error in a stream of chat has a number as its code': expectedFailure(numberAsCode(), () =>
    collect(chat({ model: 'test/stream-error', stream: true })),
  ),

  // A model without a stated tokenizer or description has none here, but this client expects a value.
  'expected: every model has a description': expectedFailure(/"description"/, () => weir.models.list()),
  'expected: every endpoint has figures of the last half hour': expectedFailure(/"uptime_last_30m"/, () =>
    weir.endpoints.list({ author: 'openai', slug: 'gpt-5.2' }),
  ),
  'expected: a key has its use of own provider keys': expectedFailure(/"byok_usage"/, () =>
    weir.apiKeys.getCurrentKeyMetadata(),
  ),
  // The usage of a generation is an object of token counts here, and a number of dollars there.
  'expected: the usage of a generation is a number': expectedFailure(/expected number, received object/, async () => {
    const { id } = await chat({ model: pricedModel })
    await readGeneration(id)
    await weir.generations.getGeneration({ id })
  }),
})

function chat(request) {
  return weir.chat.send({ chatRequest: { messages, ...request } })
}

function responses(request) {
  return weir.responses.send({ responsesRequest: { input: text, ...request } })
}

async function collect(stream) {
  const events = []
  for await (const event of await stream) events.push(event)
  return events
}

function numberAsCode() {
  return /"error",\s*"code"\s*\],\s*"message": "Invalid input: expected number, received string"/
}
