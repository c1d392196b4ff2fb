import { plainImages } from '#providers/codecs/openai/plain-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiTranslationWith } from '#providers/codecs/openai/translation.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Self-hosted: the operator sets the base URL, which ends with `/v1`, and a key only if the server requires one. */
export const vllm = openAiHost({
  slug: 'vllm',
  name: 'vLLM',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  quirks: {
    replay: 'content',
    // The server itself ignores the switch; the model's template reads it.
    qwenAtRest: { enable_thinking: false, chat_template_kwargs: { enable_thinking: false } },
  },
  completions: {
    takes: new Set([
      'n',
      'seed',
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
    image: plainImages,
    embedding: openAiEmbeddings({ tokens: true }),
    rerank: rerankWith(),
    ...openAiAudio,
    translation: openAiTranslationWith(),
  },
})
