import { nebiusImages } from './images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const nebius = openAiHost({
  slug: 'nebius',
  name: 'Nebius Token Factory',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
  media: { image: nebiusImages, embedding: openAiEmbeddings() },
})
