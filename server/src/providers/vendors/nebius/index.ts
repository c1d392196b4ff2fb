import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { sideFields } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

const image = openAiImages({
  responseFormat: 'b64_json',
  // Nebius has no field for the number of images.
  atOnce: 1,
  writeSize: sideFields({ step: 16, side: { least: 64, most: 2_000 }, pixels: { least: 4_096, most: 4_000_000 } }),
  extras: ['num_inference_steps', 'seed', 'negative_prompt', 'response_extension'],
})

export const nebius = openAiHost({
  slug: 'nebius',
  name: 'Nebius Token Factory',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
  media: { image, embedding: openAiEmbeddings() },
})
