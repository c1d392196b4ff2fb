import assert from 'node:assert/strict'
import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { claude, claudeTurn, geminiModel, lastSentToClaude, pricedModel, weatherSchema } from './surroundings.mjs'

const prompt = 'Hello there my friend'
const common = { prompt, maxRetries: 0 }

/**
 * The cases for every provider of the AI SDK. `model` and `emptyModel` create a model from an id, the second with a key
 * without credit; `options` are the provider's own.
 */
export function aiCases({ model, emptyModel, options = {} }) {
  const base = { ...common, ...options }
  return {
    generateText: async () => {
      const { text, finishReason, usage } = await generateText({ ...base, model: model('test/echo') })
      assert.equal(text, prompt)
      assert.equal(finishReason, 'stop')
      assert.equal(usage.outputTokens, 4)
    },

    'generateText at a price': async () => {
      const { text, usage } = await generateText({ ...base, model: model(pricedModel) })
      assert.equal(text, prompt)
      assert.ok(usage.inputTokens > 0)
    },

    streamText: async () => {
      const result = streamText({ ...base, model: model('test/echo') })
      assert.equal(await textOf(result), prompt)
      assert.equal(await result.finishReason, 'stop')
      assert.equal((await result.usage).outputTokens, 4)
    },

    reasoning: async () => {
      const result = await generateText({ ...base, model: model('test/reasoning') })
      assert.ok(result.text.length > 0)
      assert.ok(result.reasoningText.length > 0)
    },

    'reasoning, streamed': async () => {
      const result = streamText({ ...base, model: model('test/reasoning') })
      assert.ok((await textOf(result)).length > 0)
      assert.ok((await result.reasoningText).length > 0)
    },

    'a loop of two steps with a tool': async () => {
      const seen = []
      const { steps, text } = await generateText({ ...base, ...weatherLoop(seen), model: model('test/tools') })
      assert.deepEqual(seen, ['city'])
      assert.equal(steps.length, 2)
      assert.ok(text.length > 0)
    },

    'a loop of two steps with a tool, streamed': async () => {
      const seen = []
      const result = streamText({ ...base, ...weatherLoop(seen), model: model('test/tools') })
      assert.ok((await textOf(result)).length > 0)
      assert.deepEqual(seen, ['city'])
      assert.equal((await result.steps).length, 2)
    },

    'a loop with Claude': async () => {
      const seen = []
      await generateText({ ...base, ...weatherLoop(seen), model: model(claude.model) })
      assert.deepEqual(seen, ['Oslo', 'Oslo'])
      assert.equal(claudeTurn(await lastSentToClaude()).at(-1).id, claude.callId)
    },

    'a loop with Claude, streamed': async () => {
      const seen = []
      const result = streamText({ ...base, ...weatherLoop(seen), model: model(claude.model) })
      await textOf(result)
      assert.deepEqual(seen, ['Oslo', 'Oslo'])
      assert.equal(claudeTurn(await lastSentToClaude()).at(-1).id, claude.callId)
    },

    'a stream from Gemini': async () => {
      const result = streamText({ ...base, model: model(geminiModel) })
      assert.equal(await textOf(result), 'Hello')
      assert.equal(await result.finishReason, 'stop')
    },

    'no credits: 402': async () => {
      const error = await generateText({ ...base, model: emptyModel(pricedModel) }).catch((reason) => reason)
      assert.ok(APICallError.isInstance(error), `${error}`)
      assert.equal(error.statusCode, 402)
      assert.equal(error.isRetryable, false)
      assert.match(error.message, /credits/i)
    },

    'an error in the middle of a stream': async () => {
      const errors = []
      const result = streamText({
        ...base,
        model: model('test/stream-error'),
        onError: ({ error }) => errors.push(error),
      })
      const parts = []
      for await (const part of result.fullStream) parts.push(part.type)
      assert.ok(errors.length > 0)
      assert.ok(parts.includes('text-delta') && parts.includes('error'), parts.join(', '))
    },

    'an aborted stream': async () => {
      const controller = new AbortController()
      const result = streamText({ ...base, model: model('test/drip-50'), abortSignal: controller.signal })
      const parts = []
      for await (const part of result.fullStream) {
        parts.push(part.type)
        if (part.type === 'text-delta') controller.abort()
      }
      assert.equal(parts.at(-1), 'abort')
    },
  }
}

/** Claude's thought as it came back in the second step of a loop. */
export function thoughtReturnsCase({ model, options = {} }) {
  return async () => {
    const result = streamText({ ...common, ...options, ...weatherLoop([]), model: model(claude.model) })
    await textOf(result)
    const [thinking] = claudeTurn(await lastSentToClaude())
    assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
  }
}

async function textOf(result) {
  let text = ''
  for await (const delta of result.textStream) text += delta
  return text
}

function weatherLoop(seen) {
  const weather = tool({
    description: 'The weather in a city',
    inputSchema: jsonSchema(weatherSchema),
    execute: async ({ city }) => {
      seen.push(city)
      return 'sunny'
    },
  })
  return { tools: { get_weather: weather }, stopWhen: isStepCount(2) }
}
