import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const upstage = openAiHost({
  slug: 'upstage',
  name: 'Upstage',
  baseUrl: 'https://api.upstage.ai/v1',
  media: { embedding: openAiEmbeddings({ inputsMax: 100 }) },
})
