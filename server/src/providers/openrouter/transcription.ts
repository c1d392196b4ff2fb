import { openAiTranscriptionWith } from '../codecs/openai/transcription.ts'

/** Says what each transcription costs, and answers in plain JSON alone. */
export const openRouterTranscription = openAiTranscriptionWith({
  formatFor: () => 'json',
  granularityField: 'timestamp_granularities[]',
})
