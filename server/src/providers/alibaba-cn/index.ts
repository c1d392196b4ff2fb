import { dashscopeImages } from '../codecs/dashscope/images.ts'
import { dashscopeVideos } from '../codecs/dashscope/videos.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { cacheCreationTokens } from '../protocols/openai/extra-counts.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const alibabaCn = openAiHost({
  slug: 'alibaba-cn',
  name: 'Alibaba Cloud Bailian',
  baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
  quirks: {
    // Explicit caches report what they stored under Anthropic's name.
    extraCounts: cacheCreationTokens,
  },
  media: { embedding: openAiEmbeddings({ inputsMax: 10 }), image: dashscopeImages, video: dashscopeVideos },
})
