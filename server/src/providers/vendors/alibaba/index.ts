import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { cacheCreationTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { type OpenAiHost, openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { dashscopeImages } from './images.ts'
import { dashscopeVideos } from './videos.ts'

/** Rerank models have another compatible API than the others. */
function rerankUrl(baseUrl: string): string {
  return baseUrl.replace('/compatible-mode/', '/compatible-api/')
}

const dashscope = {
  quirks: {
    // Explicit caches report what they stored under Anthropic's name.
    extraCounts: cacheCreationTokens,
    thinkingField: 'enable_thinking',
    takesCacheMarks: true,
  },
  media: {
    embedding: openAiEmbeddings({ inputsMax: 10 }),
    rerank: rerankWith({ path: '/reranks', documentsMax: 500, baseUrlOf: rerankUrl }),
    image: dashscopeImages,
    video: dashscopeVideos,
  },
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
