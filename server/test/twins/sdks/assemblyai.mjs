import { AssemblyAI } from 'assemblyai'
import { wav } from './samples.mjs'

const clientOf = ({ key }) => new AssemblyAI({ apiKey: key })

export async function transcription(upstream) {
  const audio = Buffer.from(await wav().arrayBuffer())
  const wishes = { audio, speech_models: ['universal-2'], language_code: 'en' }
  const heard = await clientOf(upstream).transcripts.transcribe(wishes, { pollingInterval: 1 })
  return {
    text: heard.text,
    language: heard.language_code,
    durationS: heard.audio_duration,
    words: heard.words.map(({ text, start, end }) => ({ text, start: start / 1000, end: end / 1000 })),
  }
}
