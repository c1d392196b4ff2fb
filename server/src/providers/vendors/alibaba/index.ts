import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { cacheCreationTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { type OpenAiHost, openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { dashscopeImages } from './images.ts'
import { dashscopeVideos } from './videos.ts'

const dashscope = {
  quirks: {
    // Explicit caches report what they stored under Anthropic's name.
    extraCounts: cacheCreationTokens,
    thinkingField: 'enable_thinking',
    takesCacheMarks: true,
  },
  media: { embedding: openAiEmbeddings({ inputsMax: 10 }), image: dashscopeImages, video: dashscopeVideos },
} as const satisfies Partial<OpenAiHost>

export const alibaba = openAiHost({
  slug: 'alibaba',
  name: 'Alibaba Cloud Model Studio',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  ...dashscope,
})

export const alibabaCn = openAiHost({
  slug: 'alibaba-cn',
  name: 'Alibaba Cloud Bailian',
  baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
  ...dashscope,
})
