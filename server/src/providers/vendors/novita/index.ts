import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const novita = openAiHost({
  slug: 'novita',
  name: 'Novita AI',
  baseUrl: 'https://api.novita.ai/v3/openai',
  media: { embedding: openAiEmbeddings() },
})
