import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { cohereEmbeddings } from './embeddings.ts'

/**
 * Its OpenAI-compatible surface; of the native one, only embeddings have something that clients of ours could ask for.
 */
export const cohere = openAiHost({
  slug: 'cohere',
  name: 'Cohere',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  quirks: {
    // Not among the fields that this surface takes.
    refusesFor: () => ['logit_bias', 'top_logprobs', 'n', 'user', 'parallel_tool_calls', 'service_tier'],
    finishReasons: { TIMEOUT: 'error' },
  },
  media: { embedding: cohereEmbeddings },
})
