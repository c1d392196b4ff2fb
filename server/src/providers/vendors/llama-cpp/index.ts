import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Self-hosted: the operator sets the base URL, which ends with `/v1`, and a key only if the server requires one. */
export const llamaCpp = openAiHost({
  slug: 'llama-cpp',
  name: 'llama.cpp',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  media: { embedding: openAiEmbeddings({ tokens: true }) },
})
