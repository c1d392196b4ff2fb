import { openAiTranscriptionWith, richestFormat } from '#providers/codecs/openai/transcription.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * Each model of speech has a host of its own (docs.fireworks.ai/guides/querying-asr-models); an operator's own address
 * serves both.
 */
export const fireworksTranscription = openAiTranscriptionWith({
  formatFor: richestFormat,
  granularityField: 'timestamp_granularities[]',
  targetFor,
})

function targetFor(target: MediaTarget): MediaTarget {
  if (new URL(target.baseUrl).hostname !== 'api.fireworks.ai') return target
  const host = target.upstreamModel.endsWith('-turbo') ? 'audio-turbo' : 'audio-prod'
  return { ...target, baseUrl: `https://${host}.api.fireworks.ai/v1` }
}
