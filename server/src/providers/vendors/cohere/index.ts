import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { cohereEmbeddings } from './embeddings.ts'

/** Cohere's OpenAI-compatible API. Of the native API, only embeddings offer something that our clients can request. */
export const cohere = openAiHost({
  slug: 'cohere',
  name: 'Cohere',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  quirks: {
    // Fields that this API does not accept.
    refusesFor: () => ['logit_bias', 'top_logprobs', 'n', 'user', 'parallel_tool_calls', 'service_tier'],
    finishReasons: { TIMEOUT: 'error' },
  },
  media: { embedding: cohereEmbeddings },
})
