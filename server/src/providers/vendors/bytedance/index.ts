import { type OpenAiHost, openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { arkEmbeddings } from './embeddings.ts'
import { arkImages } from './images.ts'
import { arkVideos } from './videos.ts'

/** Ark, which ByteDance sells under two names. */
const ark = {
  quirks: { thinkingField: 'thinking', replay: 'content' },
  media: { embedding: arkEmbeddings, image: arkImages, video: arkVideos },
} as const satisfies Partial<OpenAiHost>

export const byteplus = openAiHost({
  slug: 'byteplus',
  name: 'BytePlus Ark',
  baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  ...ark,
})

export const volcengine = openAiHost({
  slug: 'volcengine',
  name: 'Volcengine Ark',
  baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
  ...ark,
})
