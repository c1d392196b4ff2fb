import assert from 'node:assert/strict'
import { OpenRouter } from '@openrouter/sdk'
import { reportCases } from './report-cases.mjs'
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

const serverURL = baseURL.replace(/\/v1$/, '/openrouter/v1')
const weir = new OpenRouter({ serverURL, apiKey: key, retryConfig: { strategy: 'none' } })
const empty = new OpenRouter({ serverURL, apiKey: emptyKey, retryConfig: { strategy: 'none' } })
const text = 'Hello there my friend'
const messages = [{ role: 'user', content: text }]
const weather = { name: 'get_weather', parameters: weatherSchema }
const chatTools = [{ type: 'function', function: weather }]
const responsesTools = [{ type: 'function', ...weather }]

// It rejects a response that lacks a field of its schemas or has another type, even if it needs neither.
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

  'chat.send of a model without a fingerprint': async () => {
    const answer = await chat({ model: 'test/echo' })
    assert.equal(answer.systemFingerprint, null)
  },

  'an unknown model': async () => {
    const error = await failureOf(chat({ model: 'nobody/nothing' }))
    assert.equal(error.error.code, 400)
    assert.deepEqual(error.error.metadata, { error_type: 'invalid_request', reason: 'unknown_model' })
  },

  'no credit': async () => {
    const error = await failureOf(empty.responses.send({ responsesRequest: { model: pricedModel, input: text } }))
    assert.equal(error.error.code, 402)
    assert.deepEqual(error.error.metadata, { error_type: 'payment_required', reason: 'insufficient_credits' })
  },

  'an error in the middle of a stream of chat': async () => {
    const chunks = await collect(chat({ model: 'test/stream-error', stream: true }))
    const last = chunks.at(-1)
    assert.equal(last.choices[0].finishReason, 'error')
    assert.equal(last.error.code, 502)
    assert.equal(last.error.metadata.errorType, 'provider_unavailable')
  },

  'models.list, priced per token': async () => {
    const { result } = await weir.models.list()
    const model = result.data.find(({ id }) => id === pricedModel)
    assert.ok(Number(model.pricing.prompt) > 0 && Number(model.pricing.prompt) < 0.001)
  },

  'endpoints.list': async () => {
    const { data } = await weir.endpoints.list({ author: 'openai', slug: 'gpt-5.2' })
    assert.equal(data.endpoints[0].uptimeLast30m, null)
    assert.ok(Number(data.endpoints[0].pricing.prompt) < 0.001)
  },

  'apiKeys.getCurrentKeyMetadata': async () => {
    const { data } = await weir.apiKeys.getCurrentKeyMetadata()
    assert.equal(data.byokUsage, 0)
    assert.equal(typeof data.usage, 'number')
  },

  'generations.getGeneration': async () => {
    const { id, usage } = await chat({ model: pricedModel })
    await readGeneration(id)
    const { data } = await weir.generations.getGeneration({ id })
    assert.equal(data.usage, usage.cost)
  },
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

async function failureOf(promise) {
  const failure = await promise.then(
    () => null,
    (error) => error,
  )
  assert.ok(failure !== null, 'it went well')
  return failure
}
