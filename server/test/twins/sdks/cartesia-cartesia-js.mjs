import Cartesia from '@cartesia/cartesia-js'
import { bytesOf, wav } from './samples.mjs'

const clientOf = ({ key }) => new Cartesia({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })

export async function speech(upstream) {
  const body = {
    model_id: 'sonic-3',
    transcript: 'Hello there',
    voice: { mode: 'id', id: 'alloy' },
    output_format: { container: 'wav', encoding: 'pcm_s16le', sample_rate: 44100 },
  }
  return bytesOf(await clientOf(upstream).tts.generate(body))
}

export async function transcription(upstream) {
  const body = { model: 'ink-whisper', file: wav(), language: 'en', timestamp_granularities: ['word'] }
  const { text, language, duration, words } = await clientOf(upstream).stt.transcribe(body)
  return {
    text,
    language,
    durationS: duration,
    words: words.map(({ word, start, end }) => ({ text: word, start, end })),
  }
}
