import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const sambanova = openAiHost({
  slug: 'sambanova',
  name: 'SambaNova',
  baseUrl: 'https://api.sambanova.ai/v1',
  media: { embedding: openAiEmbeddings() },
})
