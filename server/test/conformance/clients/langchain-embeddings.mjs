import assert from 'node:assert/strict'
import { OpenAIEmbeddings } from '@langchain/openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, embeddingModel, key } from './surroundings.mjs'

const weir = new OpenAIEmbeddings({ model: embeddingModel, apiKey: key, maxRetries: 0, configuration: { baseURL } })

await reportCases({
  embedQuery: async () => {
    assert.deepEqual([...(await weir.embedQuery('Hello'))], [0.25, -0.5, 0])
  },

  embedDocuments: async () => {
    const vectors = await weir.embedDocuments(['Hello', 'there'])
    assert.deepEqual(
      vectors.map((vector) => vector[2]),
      [0, 1],
    )
  },
})
