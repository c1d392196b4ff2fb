import { Mistral } from '@mistralai/mistralai'
import { failureOf, question, wav, weatherTool } from './samples.mjs'

const clientOf = ({ key }) => new Mistral({ apiKey: key, retryConfig: { strategy: 'none' } })
const asked = { model: 'mistral-small-latest', messages: question, maxTokens: 40, temperature: 0.5, stop: ['END'] }

export const chat = async (upstream) => replyOf(await clientOf(upstream).chat.complete({ ...asked, randomSeed: 7 }))
export const errors = (upstream) => failureOf(() => clientOf(upstream).chat.complete(asked))
export const tools = async (upstream) =>
  replyOf(await clientOf(upstream).chat.complete({ ...asked, tools: [weatherTool], toolChoice: 'auto' }))

export async function stream(upstream) {
  const reply = { text: '', thinking: '', calls: [], finish: null, usage: null }
  for await (const { data } of await clientOf(upstream).chat.stream(asked)) {
    const [{ delta, finishReason }] = data.choices
    reply.text += delta.content ?? ''
    if (finishReason) reply.finish = finishReason
    if (data.usage) reply.usage = usageOf(data.usage)
  }
  return reply
}

function replyOf({ choices, usage }) {
  const [{ message, finishReason }] = choices
  return {
    text: message.content ?? '',
    thinking: '',
    calls: (message.toolCalls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      id,
      name,
      arguments: typeof json === 'string' ? JSON.parse(json) : json,
    })),
    finish: finishReason,
    usage: usageOf(usage),
  }
}

// The SDK passes unknown fields through unchanged.
function usageOf({ promptTokens: prompt, completionTokens: completion, prompt_tokens_details: details }) {
  const cached = details?.cached_tokens ?? 0
  return { prompt, cached, completion, reasoning: 0 }
}

export async function embeddings(upstream) {
  const body = { model: 'codestral-embed', inputs: ['one', 'two words'], outputDimension: 4, encodingFormat: 'float' }
  const { data, usage } = await clientOf(upstream).embeddings.create(body)
  return { vectors: data.map(({ embedding }) => embedding), tokens: usage.promptTokens }
}

export async function transcription(upstream) {
  const body = { model: 'voxtral-mini-latest', file: wav(), language: 'en' }
  const { text, language, usage } = await clientOf(upstream).audio.transcriptions.complete(body)
  return { text, language, usage: { input: usage.promptTokens, output: usage.completionTokens } }
}

export async function speech(upstream) {
  const body = { model: 'voxtral-mini-tts', input: 'Hello there', voiceId: 'alloy', responseFormat: 'mp3' }
  const { audioData } = await clientOf(upstream).audio.speech.complete(body)
  return { base64: audioData }
}
