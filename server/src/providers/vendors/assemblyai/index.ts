import type { MediaVendor } from '#providers/spec.ts'
import { assemblyAiTranscription } from './transcription.ts'

export const assemblyai: MediaVendor = {
  slug: 'assemblyai',
  name: 'AssemblyAI',
  protocol: 'none',
  baseUrl: 'https://api.assemblyai.com/v2',
  // The key is sent alone, without the name of a scheme.
  authentication: { kind: 'header', name: 'authorization' },
  media: { transcription: assemblyAiTranscription },
}
