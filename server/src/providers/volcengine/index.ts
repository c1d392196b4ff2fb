import { arkEmbeddings } from '../codecs/ark/embeddings.ts'
import { arkImages } from '../codecs/ark/images.ts'
import { arkVideos } from '../codecs/ark/videos.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const volcengine = openAiHost({
  slug: 'volcengine',
  name: 'Volcengine Ark',
  baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
  media: { embedding: arkEmbeddings, image: arkImages, video: arkVideos },
})
