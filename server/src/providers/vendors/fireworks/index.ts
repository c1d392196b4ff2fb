import { fireworksImages } from './images.ts'
import { fireworksTranscription, fireworksTranslation } from './transcription.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiSpeech } from '#providers/codecs/openai/speech.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { toolChoiceAny } from '#providers/protocols/openai/request/tool-choice-any.ts'

export const fireworks = openAiHost({
  slug: 'fireworks',
  name: 'Fireworks AI',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  // docs.fireworks.ai, "Zero data retention".
  keepsPrompts: false,
  quirks: {
    finishBody: toolChoiceAny,
    takes: new Set([
      'frequency_penalty',
      'logit_bias',
      'logprobs',
      'metadata',
      'min_p',
      'n',
      'parallel_tool_calls',
      'prediction',
      'presence_penalty',
      'prompt_cache_key',
      'reasoning_effort',
      'repetition_penalty',
      'seed',
      'service_tier',
      'top_k',
      'top_logprobs',
      'user',
    ]),
    qwenAtRest: { reasoning_effort: 'none' },
    thoughtsFor: () => 'none',
  },
  completions: {
    takes: new Set([
      'n',
      'frequency_penalty',
      'presence_penalty',
      'repetition_penalty',
      'top_k',
      'min_p',
      'logit_bias',
      'user',
    ]),
    takesManyPrompts: true,
    hasLogprobs: true,
  },
  media: {
    image: fireworksImages,
    embedding: openAiEmbeddings(),
    rerank: rerankWith({ repeatsDocuments: true }),
    speech: openAiSpeech,
    transcription: fireworksTranscription,
    translation: fireworksTranslation,
  },
})
