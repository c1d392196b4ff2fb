import OpenAI from 'openai'
import { bytesOf, chatCalls, includeUsage, png, responsesCalls, wav } from './samples.mjs'

const clientOf = ({ key }) => new OpenAI({ apiKey: key, maxRetries: 0 })
export const { chat, stream, tools, errors } = chatCalls(clientOf, { model: 'gpt-4o', streamFields: includeUsage })

const azureOf = ({ key }) =>
  new OpenAI({
    baseURL: 'https://acme.openai.azure.com/openai/v1',
    apiKey: key,
    defaultHeaders: { 'api-key': key, authorization: null },
    maxRetries: 0,
  })

export const azureChat = chatCalls(azureOf, { model: 'gpt-4o' }).chat

const thinker = { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] }
export const { responses, responsesStream, responsesTools, responsesErrors, responsesNative } = responsesCalls(clientOf, {
  model: 'gpt-5-pro',
  fields: thinker,
})
export const azureResponses = responsesCalls(azureOf, { model: 'gpt-5-pro', fields: thinker }).responses

// xAI recommends this SDK to its users.
const xaiClientOf = ({ key }) => new OpenAI({ baseURL: 'https://api.x.ai/v1', apiKey: key, maxRetries: 0 })
export const {
  responses: xaiResponses,
  responsesStream: xaiResponsesStream,
  responsesTools: xaiResponsesTools,
  responsesErrors: xaiResponsesErrors,
  responsesNative: xaiResponsesNative,
} = responsesCalls(xaiClientOf, { model: 'grok-4.3', fields: thinker })

export async function embeddings(upstream) {
  const body = { model: 'text-embedding-3-small', input: ['one', 'two words'], dimensions: 4, encoding_format: 'float' }
  const { data, usage } = await clientOf(upstream).embeddings.create(body)
  return { vectors: data.map(({ embedding }) => embedding), tokens: usage.prompt_tokens }
}

export async function images(upstream) {
  const body = { model: 'gpt-image-1', prompt: 'a fox', size: '1024x1024', quality: 'low' }
  return imagesIn(await clientOf(upstream).images.generate(body))
}

export async function edits(upstream) {
  const body = { model: 'gpt-image-1', prompt: 'a fox', image: [png()] }
  return imagesIn(await clientOf(upstream).images.edit(body))
}

const imagesIn = ({ data, usage }) => ({
  images: data.map(({ b64_json: base64 }) => base64),
  tokens: usage ? { input: usage.input_tokens, output: usage.output_tokens } : null,
})

const spoken = { model: 'tts-1', input: 'Hello there', voice: 'alloy', response_format: 'mp3', speed: 1.25 }

export const speech = async (upstream) => bytesOf(await clientOf(upstream).audio.speech.create(spoken))
export const azureSpeech = async (upstream) => bytesOf(await azureOf(upstream).audio.speech.create(spoken))

export async function transcription(upstream) {
  const body = { model: 'gpt-4o-transcribe', file: wav(), language: 'en', prompt: 'Weir', response_format: 'json' }
  const { text, usage } = await clientOf(upstream).audio.transcriptions.create(body)
  return { text, words: null, usage: { input: usage.input_tokens, output: usage.output_tokens } }
}

export async function whisper(upstream) {
  const body = { model: 'whisper-1', file: wav(), response_format: 'verbose_json', timestamp_granularities: ['word'] }
  const { text, language, words, duration } = await clientOf(upstream).audio.transcriptions.create(body)
  return { text, language, durationS: duration, words: words.map(({ word, start, end }) => ({ text: word, start, end })) }
}

export async function videos(upstream) {
  const client = clientOf(upstream)
  const { id } = await client.videos.create({ model: 'sora-2', prompt: 'A paper boat', seconds: '4', size: '1280x720' })
  const { status } = await client.videos.retrieve(id)
  const { base64 } = await bytesOf(await client.videos.downloadContent(id))
  return { status: status === 'completed' ? 'made' : status, base64 }
}
