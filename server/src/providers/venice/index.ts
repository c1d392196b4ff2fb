import { veniceImages } from './images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const venice = openAiHost({
  slug: 'venice',
  name: 'Venice',
  baseUrl: 'https://api.venice.ai/api/v1',
  media: { image: veniceImages, embedding: openAiEmbeddings() },
})
