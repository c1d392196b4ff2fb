import { imageDetailsOf } from '#domain/media/image-details.ts'
import { ratioField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '5:4', '4:5', '21:9'] as const

/**
 * OpenRouter rejects fields that a model does not support, including `n`. If the catalogue has no maximum, each request
 * asks for one image.
 */
export const openrouterImages = openAiImages({
  path: '/images',
  atOnce: ({ details }) => imageDetailsOf(details).countMax ?? 1,
  writeSize: ratioField(ratios),
  inputs: {
    kind: 'json',
    path: '/images',
    most: 8,
    write: (addresses) => ({
      input_references: addresses.map((url) => ({ type: 'image_url', image_url: { url } })),
    }),
  },
  takesQuality: true,
  extras: ['seed', 'background', 'output_format', 'output_compression'],
})
