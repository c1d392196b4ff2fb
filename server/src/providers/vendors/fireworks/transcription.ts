import { openAiTranscriptionWith, richestFormat } from '#providers/codecs/openai/transcription.ts'
import { isTranslatingWhisper, openAiTranslationWith } from '#providers/codecs/openai/translation.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * Each speech model has its own host (docs.fireworks.ai/guides/querying-asr-models). An operator's own base URL serves
 * both.
 */
export const fireworksTranscription = openAiTranscriptionWith({
  formatFor: richestFormat,
  granularityField: 'timestamp_granularities[]',
  targetFor,
})

export const fireworksTranslation = openAiTranslationWith({ translates: isTranslatingWhisper, targetFor })

function targetFor(target: MediaTarget): MediaTarget {
  if (new URL(target.baseUrl).hostname !== 'api.fireworks.ai') return target
  const host = target.upstreamModel.endsWith('-turbo') ? 'audio-turbo' : 'audio-prod'
  return { ...target, baseUrl: `https://${host}.api.fireworks.ai/v1` }
}
