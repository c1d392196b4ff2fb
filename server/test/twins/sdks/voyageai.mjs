import { VoyageAIClient } from 'voyageai'

const clientOf = ({ key }) => new VoyageAIClient({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })

export async function embeddings(upstream) {
  const body = { model: 'voyage-3.5', input: ['one', 'two words'], inputType: 'document', outputDimension: 4 }
  return vectorsIn(await clientOf(upstream).embed(body))
}

export async function multimodal(upstream) {
  const inputs = [{ content: [{ type: 'text', text: 'one' }] }]
  const made = await clientOf(upstream).multimodalEmbed({ model: 'voyage-multimodal-3', inputs, encodingFormat: 'base64' })
  return vectorsIn(made)
}

export async function contextualized(upstream) {
  const body = { model: 'voyage-context-3', inputs: [['one'], ['two words']], outputDimension: 4 }
  const { results, totalTokens: tokens } = await clientOf(upstream).contextualizedEmbed(body)
  return { vectors: results.map(({ embeddings: [first] }) => first), tokens }
}

const vectorsIn = ({ data, usage }) => ({
  vectors: data.map(({ embedding }) => embedding),
  tokens: usage.totalTokens,
})

export async function rerank(upstream) {
  const body = { model: 'rerank-2.5', query: 'a mill', documents: ['riverside', 'fog', 'weir'], topK: 2 }
  const { data, usage } = await clientOf(upstream).rerank(body)
  const scores = data.map(({ index, relevanceScore: score }) => ({ index, score }))
  return { scores, tokens: usage.totalTokens, units: 1 }
}
