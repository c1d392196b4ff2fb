import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { bytesOf, failureOf, wav } from './samples.mjs'

const clientOf = ({ key }) => new ElevenLabsClient({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
const asked = { text: 'Hello there', modelId: 'eleven_v3' }

export async function speech(upstream) {
  const body = { ...asked, outputFormat: 'mp3_44100_128', voiceSettings: { speed: 1.1 } }
  return bytesOf(await clientOf(upstream).textToSpeech.stream('alloy', body))
}

export async function speechWav(upstream) {
  return bytesOf(await clientOf(upstream).textToSpeech.convert('alloy', { ...asked, outputFormat: 'wav_44100' }))
}

export const errors = ({ origin }) => {
  const call = () => clientOf({ origin, key: 'wrong' }).textToSpeech.stream('alloy', { ...asked, outputFormat: 'mp3_44100_128' })
  return failureOf(call)
}

export async function transcription(upstream) {
  const body = { modelId: 'scribe_v1', file: wav(), languageCode: 'en' }
  const { text, languageCode: language, words } = await clientOf(upstream).speechToText.convert(body)
  const spoken = words.filter(({ type }) => type === 'word')
  return { text, language, words: spoken.map(({ text: word, start, end }) => ({ text: word, start, end })) }
}
