import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embed, embedMany } from 'ai'
import { reportCases } from './report-cases.mjs'
import { baseURL, embeddingModel, failureOf, key, pricedModel } from './surroundings.mjs'

const providers = {
  'openai-compatible': createOpenAICompatible({ name: 'weir', baseURL, apiKey: key }),
  openai: createOpenAI({ baseURL, apiKey: key }),
}

await reportCases(Object.assign({}, ...Object.entries(providers).map(([name, weir]) => casesOf(name, weir))))

function casesOf(name, weir) {
  const model = weir.embeddingModel(embeddingModel)
  return {
    [`embed, ${name}`]: async () => {
      const { embedding, usage } = await embed({ model, value: 'Hello there', maxRetries: 0 })
      assert.deepEqual(embedding, [0.25, -0.5, 0])
      assert.ok(usage.tokens > 0)
    },

    [`embedMany, ${name}`]: async () => {
      const values = ['Hello', 'there', 'my friend']
      const { embeddings, usage } = await embedMany({ model, values, maxRetries: 0 })
      assert.deepEqual(
        embeddings.map((embedding) => embedding[2]),
        [0, 1, 2],
      )
      assert.ok(usage.tokens > 0)
    },

    [`a chat model: 400, ${name}`]: async () => {
      const error = await failureOf(() =>
        embed({ model: weir.embeddingModel(pricedModel), value: 'Hello', maxRetries: 0 }),
      )
      assert.ok(APICallError.isInstance(error), `${error}`)
      assert.equal(error.statusCode, 400)
      assert.match(error.message, /POST \/v1\/chat\/completions/)
    },
  }
}
