import { siliconflowImages } from '../codecs/openai/siliconflow-images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { cacheHitTokens } from '../protocols/openai/extra-counts.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const siliconflow = openAiHost({
  slug: 'siliconflow',
  name: 'SiliconFlow',
  baseUrl: 'https://api.siliconflow.com/v1',
  quirks: { extraCounts: cacheHitTokens },
  media: { image: siliconflowImages, embedding: openAiEmbeddings({ inputsMax: 32 }) },
})
