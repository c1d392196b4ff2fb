import { sideFields } from '../codecs/openai/image-sizes.ts'
import { openAiImages } from '../codecs/openai/images.ts'

export const togetherImages = openAiImages({
  responseFormat: 'base64',
  atOnce: 4,
  writeSize: sideFields({ step: 16, side: { least: 256, most: 1_792 }, pixels: { least: 65_536, most: 3_211_264 } }),
  inputs: {
    kind: 'json',
    most: 8,
    write: (addresses) => (addresses.length === 1 ? { image_url: addresses[0] } : { reference_images: addresses }),
  },
  extras: ['steps', 'seed', 'negative_prompt', 'guidance_scale', 'output_format'],
})
