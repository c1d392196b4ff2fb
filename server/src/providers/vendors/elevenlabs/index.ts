import type { MediaVendor } from '#providers/spec.ts'
import { elevenLabsSpeech } from './speech.ts'
import { elevenLabsTranscription } from './transcription.ts'

export const elevenlabs: MediaVendor = {
  slug: 'elevenlabs',
  name: 'ElevenLabs',
  protocol: 'none',
  baseUrl: 'https://api.elevenlabs.io/v1',
  authentication: { kind: 'header', name: 'xi-api-key' },
  media: { speech: elevenLabsSpeech, transcription: elevenLabsTranscription },
}
