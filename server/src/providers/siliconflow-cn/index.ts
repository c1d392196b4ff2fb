import { siliconflowImages } from '../codecs/openai/siliconflow-images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { cacheHitTokens } from '../protocols/openai/extra-counts.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const siliconflowCn = openAiHost({
  slug: 'siliconflow-cn',
  name: 'SiliconFlow (China)',
  baseUrl: 'https://api.siliconflow.cn/v1',
  quirks: { extraCounts: cacheHitTokens },
  media: { image: siliconflowImages, embedding: openAiEmbeddings({ inputsMax: 32 }) },
})
