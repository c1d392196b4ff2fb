import Groq from 'groq-sdk'
import { bytesOf, chatCalls, wav } from './samples.mjs'

const clientOf = ({ key }) => new Groq({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
export const { chat, stream, tools, errors } = chatCalls(clientOf, { model: 'llama-3.3-70b-versatile' })

export async function speech(upstream) {
  const body = { model: 'playai-tts', input: 'Hello there', voice: 'alloy', response_format: 'wav' }
  return bytesOf(await clientOf(upstream).audio.speech.create(body))
}

export async function transcription(upstream) {
  const body = { model: 'whisper-large-v3', file: wav(), language: 'en', response_format: 'verbose_json' }
  const { text } = await clientOf(upstream).audio.transcriptions.create(body)
  return { text }
}
