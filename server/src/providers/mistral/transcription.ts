import { openAiTranscriptionWith } from '../codecs/openai/transcription.ts'

/** Has one form of answer, and refuses fields that it does not know. */
export const mistralTranscription = openAiTranscriptionWith({
  formatFor: () => null,
  granularityField: 'timestamp_granularities',
  refuses: ['prompt'],
})
