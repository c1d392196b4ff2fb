import Together from 'together-ai'
import { bytesOf, chatCalls } from './samples.mjs'

const clientOf = ({ key }) => new Together({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
export const { chat, stream, tools, errors } = chatCalls(clientOf, { model: 'meta-llama/Llama-4-Scout' })

export async function embeddings(upstream) {
  const body = { model: 'intfloat/multilingual-e5-large-instruct', input: ['one', 'two words'] }
  const { data } = await clientOf(upstream).embeddings.create(body)
  return { vectors: data.map(({ embedding }) => embedding) }
}

export async function images(upstream) {
  const body = { model: 'black-forest-labs/FLUX.1-schnell', prompt: 'a fox', width: 1024, height: 768, response_format: 'base64' }
  const { data } = await clientOf(upstream).images.generate(body)
  return { images: data.map(({ b64_json: base64 }) => base64) }
}

export async function speech(upstream) {
  const body = { model: 'cartesia/sonic', input: 'Hello there', voice: 'alloy', response_format: 'raw' }
  return bytesOf(await clientOf(upstream).audio.speech.create(body))
}

export async function rerank(upstream) {
  const body = {
    model: 'Salesforce/Llama-Rank-v1',
    query: 'a mill',
    documents: ['riverside', 'fog', 'weir'],
    top_n: 2,
    return_documents: false,
  }
  const { results, usage } = await clientOf(upstream).rerank.create(body)
  const scores = results.map(({ index, relevance_score: score }) => ({ index, score }))
  return { scores, tokens: usage.total_tokens, units: 1 }
}
