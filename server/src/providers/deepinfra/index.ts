import { deepinfraImages } from './images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const deepinfra = openAiHost({
  slug: 'deepinfra',
  name: 'DeepInfra',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  media: { image: deepinfraImages, embedding: openAiEmbeddings({ inputsMax: 1_024 }) },
})
