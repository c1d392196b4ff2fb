import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const scaleway = openAiHost({
  slug: 'scaleway',
  name: 'Scaleway',
  baseUrl: 'https://api.scaleway.ai/v1',
  media: { embedding: openAiEmbeddings() },
})
