import { sizeField, sizesOf } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import type { MediaVendor } from '#providers/spec.ts'

export const recraft: MediaVendor = {
  slug: 'recraft',
  name: 'Recraft',
  protocol: 'none',
  baseUrl: 'https://external.api.recraft.ai/v1',
  authentication: { kind: 'bearer' },
  media: {
    image: openAiImages({
      responseFormat: 'b64_json',
      atOnce: 6,
      writeSize: sizeField(() => sizes),
      inputs: {
        kind: 'form',
        path: '/images/imageToImage',
        field: 'image',
        most: 1,
        defaults: { strength: 0.5 },
      },
      extras: ['style', 'style_id', 'substyle', 'negative_prompt', 'strength'],
    }),
  },
}

const sizes = sizesOf(
  '1024x1024',
  '1365x1024',
  '1024x1365',
  '1536x1024',
  '1024x1536',
  '1820x1024',
  '1024x1820',
  '1024x2048',
  '2048x1024',
  '1280x1024',
  '1024x1280',
)
