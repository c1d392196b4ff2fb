import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Self-hosted: the operator sets the base URL, which ends with `/v1`, and a key only if the server requires one. */
export const llamaCpp = openAiHost({
  slug: 'llama-cpp',
  name: 'llama.cpp',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  completions: {
    takes: new Set([
      'seed',
      'frequency_penalty',
      'presence_penalty',
      'repetition_penalty',
      'top_k',
      'min_p',
      'logit_bias',
    ]),
  },
  media: { embedding: openAiEmbeddings({ tokens: true }), rerank: rerankWith() },
})
