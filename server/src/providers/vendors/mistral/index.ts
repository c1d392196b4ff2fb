import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiTranscriptionWith } from '#providers/codecs/openai/transcription.ts'
import { moderateWith } from '#providers/codecs/moderation/moderate-with.ts'
import { mistralCachedTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { toolChoiceAny } from '#providers/protocols/openai/request/tool-choice-any.ts'
import { shortenToolCallIds } from './shorten-tool-call-ids.ts'
import { mistralSpeech } from './speech.ts'

/** Mistral has one response format, and rejects unknown fields. */
const transcription = openAiTranscriptionWith({
  formatFor: () => null,
  granularityField: 'timestamp_granularities',
  refuses: ['prompt'],
})

/** Mistral rejects every unknown field with 422, and sends usage by default. */
export const mistral = openAiHost({
  slug: 'mistral',
  name: 'Mistral AI',
  baseUrl: 'https://api.mistral.ai/v1',
  quirks: {
    streamUsage: 'always',
    // From its SDK 2.7.
    takes: new Set([
      'frequency_penalty',
      'metadata',
      'n',
      'parallel_tool_calls',
      'prediction',
      'presence_penalty',
      'prompt_cache_key',
      'reasoning_effort',
      'seed',
      'service_tier',
    ]),
    thoughtsFor: () => 'none',
    renames: { seed: 'random_seed' },
    finishBody: (body) => {
      toolChoiceAny(body)
      shortenToolCallIds(body)
    },
    plainSampling: true,
    extraCounts: mistralCachedTokens,
    finishReasons: { model_length: 'length' },
  },
  // Only Codestral fills gaps, at a path of its own. Its answers have the form of chat.
  completions: {
    pathFrom: (prefix) => `${prefix}/fim/completions`,
    serves: (upstreamModel) => /^codestral-(?!embed)/.test(upstreamModel),
    fillsGaps: () => true,
    takes: new Set(['seed']),
  },
  media: {
    embedding: openAiEmbeddings({ inputsMax: 32, dimensionsField: 'output_dimension' }),
    moderation: moderateWith(),
    speech: mistralSpeech,
    transcription,
  },
})
