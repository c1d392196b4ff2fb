import assert from 'node:assert/strict'
import { CohereClient, CohereClientV2 } from 'cohere-ai'
import { reportCases } from './report-cases.mjs'
import { failureOf, key, pricedModel, readGeneration, url } from './surroundings.mjs'

const options = { token: key, environment: url, maxRetries: 0 }
const asked = { model: 'test/rerank', query: 'a mill', documents: ['fog', 'a mill by the river', 'a mill'] }

await reportCases({
  'rerank with version 2': async () => {
    const { id, results, meta } = await new CohereClientV2(options).rerank({ ...asked, topN: 2 })
    assert.deepEqual(
      results.map(({ index }) => index),
      [2, 1],
    )
    assert.ok(results[0].relevanceScore > results[1].relevanceScore)
    assert.equal(meta.billedUnits.searchUnits, 1)
    assert.equal((await readGeneration(id)).model, 'test/rerank')
  },

  'rerank with version 1, objects and their texts': async () => {
    const documents = asked.documents.map((text) => ({ text }))
    const { results } = await new CohereClient(options).rerank({ ...asked, documents, returnDocuments: true })
    assert.equal(results[0].document.text, 'a mill')
    assert.equal(results.length, 3)
  },

  'a chat model: 400': async () => {
    const error = await failureOf(() => new CohereClientV2(options).rerank({ ...asked, model: pricedModel }))
    assert.equal(error.statusCode, 400)
    assert.equal(error.body.error.code, 'model_endpoint_mismatch')
  },
})
