import { OpenRouter } from '@openrouter/sdk'
import { failureOf, question, weatherTool } from './samples.mjs'

const clientOf = ({ key }) => new OpenRouter({ apiKey: key, retryConfig: { strategy: 'none' } })
const asked = { model: 'openai/gpt-4o', messages: question, maxTokens: 40, temperature: 0.5, stop: ['END'] }
const send = (upstream, chatRequest) => clientOf(upstream).chat.send({ chatRequest })

export const chat = async (upstream) => replyOf(await send(upstream, { ...asked, stream: false }))
export const errors = (upstream) => failureOf(() => send(upstream, { ...asked, stream: false }))
export const tools = async (upstream) =>
  replyOf(await send(upstream, { ...asked, stream: false, tools: [weatherTool], toolChoice: 'auto' }))

function replyOf({ choices, usage }) {
  const [{ message, finishReason }] = choices
  return {
    text: message.content ?? '',
    thinking: message.reasoning ?? '',
    calls: (message.toolCalls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      id,
      name,
      arguments: JSON.parse(json),
    })),
    finish: finishReason,
    usage: {
      prompt: usage.promptTokens,
      cached: usage.promptTokensDetails?.cachedTokens ?? 0,
      completion: usage.completionTokens,
      reasoning: usage.completionTokensDetails?.reasoningTokens ?? 0,
    },
  }
}

export async function embeddings(upstream) {
  const requestBody = { model: 'openai/text-embedding-3-small', input: ['one', 'two words'], encodingFormat: 'float' }
  const { data, usage } = await clientOf(upstream).embeddings.generate({ requestBody })
  return { vectors: data.map(({ embedding }) => embedding), tokens: usage.promptTokens }
}

export async function videos(upstream) {
  const client = clientOf(upstream)
  const videoGenerationRequest = { model: 'google/veo-3.1', prompt: 'A paper boat', duration: 8, resolution: '720p', aspectRatio: '16:9' }
  const { id } = await client.videoGeneration.generate({ videoGenerationRequest })
  const { status, unsignedUrls } = await client.videoGeneration.getGeneration({ jobId: id })
  return { status: status === 'completed' ? 'made' : status, urls: unsignedUrls }
}

export async function rerank(upstream) {
  const requestBody = { model: 'cohere/rerank-v3.5', query: 'a mill', documents: ['riverside', 'fog', 'weir'], topN: 2 }
  const { results, usage } = await clientOf(upstream).rerank.rerank({ requestBody })
  const scores = results.map(({ index, relevanceScore: score }) => ({ index, score }))
  return { scores, tokens: 0, units: usage.searchUnits }
}
