import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/**
 * Self-hosted, so the operator gives the base URL, which ends in `/v1`, and a key only where the server asks for one.
 */
export const llamaCpp = openAiHost({
  slug: 'llama-cpp',
  name: 'llama.cpp',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  media: { embedding: openAiEmbeddings({ tokens: true }) },
})
