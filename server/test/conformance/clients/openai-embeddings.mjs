import assert from 'node:assert/strict'
import OpenAI, { BadRequestError } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, embeddingModel, failureOf, key, pricedModel, readGeneration } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const input = ['Hello there', 'my friend']

await reportCases({
  // By default the client requests base64 and decodes it.
  'create with its own default': async () => {
    const { data, model, usage } = await weir.embeddings.create({ model: embeddingModel, input })
    assert.deepEqual(
      data.map(({ index, embedding }) => [index, [...embedding]]),
      [
        [0, [0.25, -0.5, 0]],
        [1, [0.25, -0.5, 1]],
      ],
    )
    assert.equal(model, embeddingModel)
    assert.ok(usage.prompt_tokens > 0)
  },

  'create with float': async () => {
    const { data } = await weir.embeddings.create({ model: embeddingModel, input: 'Hello', encoding_format: 'float' })
    assert.deepEqual(data[0].embedding, [0.25, -0.5, 0])
  },

  'create with base64': async () => {
    const { data } = await weir.embeddings.create({ model: embeddingModel, input: 'Hello', encoding_format: 'base64' })
    assert.equal(typeof data[0].embedding, 'string')
  },

  'create of token ids': async () => {
    const { data } = await weir.embeddings.create({ model: embeddingModel, input: [[1, 2], [3]] })
    assert.equal(data.length, 2)
  },

  'the cost of a request': async () => {
    const { data: answer, response } = await weir.embeddings.create({ model: embeddingModel, input }).withResponse()
    assert.ok(answer.usage.cost > 0)
    assert.equal((await readGeneration(response.headers.get('x-generation-id'))).total_cost, answer.usage.cost)
  },

  'a chat model: 400': async () => {
    const error = await failureOf(() => weir.embeddings.create({ model: pricedModel, input }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.code, 'model_endpoint_mismatch')
  },
})
