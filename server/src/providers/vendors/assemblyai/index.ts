import type { MediaVendor } from '#providers/spec.ts'
import { assemblyAiTranscription } from './transcription.ts'

export const assemblyai: MediaVendor = {
  slug: 'assemblyai',
  name: 'AssemblyAI',
  protocol: 'none',
  baseUrl: 'https://api.assemblyai.com/v2',
  // The header contains the key alone, without a scheme name.
  authentication: { kind: 'header', name: 'authorization' },
  media: { transcription: assemblyAiTranscription },
}
