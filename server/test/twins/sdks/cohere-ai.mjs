import { CohereClientV2 } from 'cohere-ai'
import { failureOf } from './samples.mjs'

const clientOf = ({ key }) => new CohereClientV2({ token: key, fetch: (...given) => fetch(...given) })
const asked = { model: 'embed-v4.0', texts: ['one', 'two words'], inputType: 'search_query', embeddingTypes: ['float'] }

export async function embeddings(upstream) {
  const { embeddings: made, meta } = await clientOf(upstream).embed({ ...asked, outputDimension: 4 }, { maxRetries: 0 })
  return { vectors: made.float, tokens: meta.billedUnits.inputTokens }
}

export const errors = (upstream) => failureOf(() => clientOf(upstream).embed(asked, { maxRetries: 0 }))

const ranking = { model: 'rerank-v3.5', query: 'a mill', documents: ['riverside', 'fog', 'weir'], topN: 2 }

export async function rerank(upstream) {
  const { results, meta } = await clientOf(upstream).rerank({ ...ranking, maxTokensPerDoc: 512 }, { maxRetries: 0 })
  const scores = results.map(({ index, relevanceScore: score }) => ({ index, score }))
  return { scores, tokens: 0, units: meta.billedUnits.searchUnits }
}
