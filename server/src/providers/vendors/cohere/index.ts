import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { cohereEmbeddings } from './embeddings.ts'
import { nativeUrl } from './native-url.ts'

/** Rerank is billed by search units, and answers count nothing else. */
const rerank = rerankWith({
  path: '/v2/rerank',
  cutsDocuments: true,
  extras: ['priority'],
  baseUrlOf: nativeUrl,
  countsTokens: false,
})

/** Cohere's OpenAI-compatible API. Embeddings and rerank are requested from the native API. */
export const cohere = openAiHost({
  slug: 'cohere',
  name: 'Cohere',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  quirks: {
    // Fields that this API does not accept.
    refusesFor: () => ['logit_bias', 'top_logprobs', 'n', 'user', 'parallel_tool_calls', 'service_tier'],
    finishReasons: { TIMEOUT: 'error' },
  },
  media: { embedding: cohereEmbeddings, rerank },
})
