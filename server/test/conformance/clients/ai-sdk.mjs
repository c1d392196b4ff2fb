import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key, pricedModel } from './surroundings.mjs'

const weir = createOpenAICompatible({ name: 'weir', baseURL, apiKey: key, includeUsage: true })
const prompt = 'Hello there my friend'
const common = { prompt, maxRetries: 0 }

await reportCases({
  generateText: async () => {
    const { text, finishReason, usage } = await generateText({ ...common, model: weir('test/echo') })
    assert.equal(text, prompt)
    assert.equal(finishReason, 'stop')
    assert.equal(usage.outputTokens, 4)
  },

  'generateText at a price': async () => {
    const { text, usage } = await generateText({ ...common, model: weir(pricedModel) })
    assert.equal(text, prompt)
    assert.ok(usage.raw.cost > 0)
  },

  streamText: async () => {
    const result = streamText({ ...common, model: weir('test/echo') })
    assert.equal(await textOf(result), prompt)
    assert.equal(await result.finishReason, 'stop')
    assert.equal((await result.usage).outputTokens, 4)
  },

  'reasoning, streamed': async () => {
    const result = streamText({ ...common, model: weir('test/reasoning') })
    assert.ok((await textOf(result)).length > 0)
    assert.ok((await result.reasoningText).length > 0)
  },

  'a loop of two steps with a tool': async () => {
    const seen = []
    const { steps, text } = await generateText({
      ...common,
      model: weir('test/tools'),
      tools: { get_weather: weatherTool(seen) },
      stopWhen: isStepCount(2),
    })
    assert.deepEqual(seen, ['city'])
    assert.equal(steps.length, 2)
    assert.ok(text.length > 0)
  },

  'a loop of two steps with a tool, streamed': async () => {
    const seen = []
    const result = streamText({
      ...common,
      model: weir('test/tools'),
      tools: { get_weather: weatherTool(seen) },
      stopWhen: isStepCount(2),
    })
    assert.ok((await textOf(result)).length > 0)
    assert.deepEqual(seen, ['city'])
    assert.equal((await result.steps).length, 2)
  },

  'no credits: 402': async () => {
    const empty = createOpenAICompatible({ name: 'weir', baseURL, apiKey: emptyKey })
    const error = await generateText({ ...common, model: empty(pricedModel) }).catch((reason) => reason)
    assert.ok(APICallError.isInstance(error), `${error}`)
    assert.equal(error.statusCode, 402)
    assert.equal(error.isRetryable, false)
    assert.match(error.message, /credits/i)
  },

  'an error in the middle of a stream': async () => {
    const errors = []
    const result = streamText({
      ...common,
      model: weir('test/stream-error'),
      onError: ({ error }) => errors.push(error),
    })
    const parts = []
    for await (const part of result.fullStream) parts.push(part.type)
    assert.equal(errors.length, 1)
    assert.ok(parts.includes('text-delta') && parts.includes('error'), parts.join(', '))
  },

  'an aborted stream': async () => {
    const controller = new AbortController()
    const result = streamText({ ...common, model: weir('test/drip-50'), abortSignal: controller.signal })
    const parts = []
    for await (const part of result.fullStream) {
      parts.push(part.type)
      if (part.type === 'text-delta') controller.abort()
    }
    assert.equal(parts.at(-1), 'abort')
  },
})

async function textOf(result) {
  let text = ''
  for await (const delta of result.textStream) text += delta
  return text
}

function weatherTool(seen) {
  return tool({
    description: 'The weather in a city',
    inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    execute: async ({ city }) => {
      seen.push(city)
      return 'sunny'
    },
  })
}
