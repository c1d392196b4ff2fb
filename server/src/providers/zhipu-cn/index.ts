import { cogviewImages } from '../codecs/openai/cogview-images.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const zhipuCn = openAiHost({
  slug: 'zhipu-cn',
  name: 'Zhipu AI',
  baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
  quirks: {
    streamUsage: 'always',
    renames: { max_completion_tokens: 'max_tokens' },
    finishReasons: { sensitive: 'content_filter', network_error: 'error' },
  },
  media: { image: cogviewImages, embedding: openAiEmbeddings({ inputsMax: 64 }) },
})
