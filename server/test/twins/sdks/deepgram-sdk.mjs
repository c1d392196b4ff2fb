import { DeepgramClient } from '@deepgram/sdk'
import { bytesOf, wav } from './samples.mjs'

const clientOf = ({ key }) => new DeepgramClient({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })

export async function speech(upstream) {
  const body = { model: 'aura-2-thalia-en', text: 'Hello there', encoding: 'linear16', container: 'wav', sample_rate: 24000 }
  const made = await clientOf(upstream).speak.v1.audio.generate(body)
  return bytesOf(made.stream())
}

export async function transcription(upstream) {
  const body = { model: 'nova-3', language: 'en', utterances: true }
  const recording = Buffer.from(await wav().arrayBuffer())
  const { results, metadata } = await clientOf(upstream).listen.v1.media.transcribeFile(recording, body)
  const [best] = results.channels[0].alternatives
  return {
    text: best.transcript,
    words: best.words.map(({ word, start, end }) => ({ text: word, start, end })),
    durationS: metadata.duration,
  }
}
