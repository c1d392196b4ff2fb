import type { MediaVendor } from '#providers/spec.ts'
import { cartesiaSpeech } from './speech.ts'
import { cartesiaTranscription } from './transcription.ts'

export const cartesia: MediaVendor = {
  slug: 'cartesia',
  name: 'Cartesia',
  protocol: 'none',
  baseUrl: 'https://api.cartesia.ai',
  authentication: { kind: 'bearer' },
  media: { speech: cartesiaSpeech, transcription: cartesiaTranscription },
}
