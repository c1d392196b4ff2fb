import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const novita = openAiHost({
  slug: 'novita',
  name: 'Novita AI',
  baseUrl: 'https://api.novita.ai/v3/openai',
  media: { embedding: openAiEmbeddings() },
})
