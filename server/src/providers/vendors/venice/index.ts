import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { anySize, sizeField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

const image = openAiImages({
  responseFormat: 'b64_json',
  atOnce: 1,
  writeSize: sizeField(() => anySize),
  extras: ['background', 'output_format', 'style', 'user'],
})

export const venice = openAiHost({
  slug: 'venice',
  name: 'Venice',
  baseUrl: 'https://api.venice.ai/api/v1',
  media: { image, embedding: openAiEmbeddings() },
})
