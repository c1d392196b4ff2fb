import { sideFields } from '../codecs/openai/image-sizes.ts'
import { openAiImages } from '../codecs/openai/images.ts'

export const nebiusImages = openAiImages({
  responseFormat: 'b64_json',
  // It knows no number of images.
  atOnce: 1,
  writeSize: sideFields({ step: 16, side: { least: 64, most: 2_000 }, pixels: { least: 4_096, most: 4_000_000 } }),
  extras: ['num_inference_steps', 'seed', 'negative_prompt', 'response_extension'],
})
