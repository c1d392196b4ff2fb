import { dashscopeImages } from '../codecs/dashscope/images.ts'
import { dashscopeVideos } from '../codecs/dashscope/videos.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { cacheCreationTokens } from '../protocols/openai/extra-counts.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const alibaba = openAiHost({
  slug: 'alibaba',
  name: 'Alibaba Cloud Model Studio',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  quirks: {
    // Explicit caches report what they stored under Anthropic's name.
    extraCounts: cacheCreationTokens,
  },
  media: { embedding: openAiEmbeddings({ inputsMax: 10 }), image: dashscopeImages, video: dashscopeVideos },
})
