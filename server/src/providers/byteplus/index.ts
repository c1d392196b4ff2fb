import { arkEmbeddings } from '../codecs/ark/embeddings.ts'
import { arkImages } from '../codecs/ark/images.ts'
import { arkVideos } from '../codecs/ark/videos.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const byteplus = openAiHost({
  slug: 'byteplus',
  name: 'BytePlus Ark',
  baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  media: { embedding: arkEmbeddings, image: arkImages, video: arkVideos },
})
