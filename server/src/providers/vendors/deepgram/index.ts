import type { MediaVendor } from '#providers/spec.ts'
import { deepgramSpeech } from './speech.ts'
import { deepgramTranscription } from './transcription.ts'

export const deepgram: MediaVendor = {
  slug: 'deepgram',
  name: 'Deepgram',
  protocol: 'none',
  baseUrl: 'https://api.deepgram.com/v1',
  authentication: { kind: 'header', name: 'authorization', scheme: 'Token' },
  media: { speech: deepgramSpeech, transcription: deepgramTranscription },
}
