import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { anySize, sizeField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

const image = openAiImages({
  responseFormat: 'b64_json',
  atOnce: 4,
  writeSize: sizeField(() => anySize),
  inputs: { kind: 'form', path: '/images/edits', field: 'image', most: 1 },
  takesQuality: true,
  extras: ['style', 'user'],
})

export const deepinfra = openAiHost({
  slug: 'deepinfra',
  name: 'DeepInfra',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  media: { image, embedding: openAiEmbeddings({ inputsMax: 1_024 }) },
})
