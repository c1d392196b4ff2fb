import type { MediaCodecs } from '../codec.ts'
import { openAiSpeech } from './speech.ts'
import { openAiTranscription } from './transcription.ts'

/** Both ways between words and sound, for hosts that take them as OpenAI does. */
export const openAiAudio = {
  speech: openAiSpeech,
  transcription: openAiTranscription,
} as const satisfies MediaCodecs
