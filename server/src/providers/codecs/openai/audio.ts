import type { MediaCodecs } from '../codec.ts'
import { openAiSpeech } from './speech.ts'
import { openAiTranscription } from './transcription.ts'

/** Speech and transcription, for upstreams that follow OpenAI. */
export const openAiAudio = {
  speech: openAiSpeech,
  transcription: openAiTranscription,
} as const satisfies MediaCodecs
