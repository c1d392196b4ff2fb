import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Self-hosted: the operator sets the base URL, which ends with `/v1`, and a key only if the server requires one. */
export const ollama = openAiHost({
  slug: 'ollama',
  name: 'Ollama',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  completions: {
    fillsGaps: () => true,
    takes: new Set(['seed', 'frequency_penalty', 'presence_penalty']),
  },
  media: { embedding: openAiEmbeddings() },
})
