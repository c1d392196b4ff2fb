import type { PixelRange } from '#domain/media/size-within.ts'
import type { MediaTarget } from '../target.ts'
import { type KnownSizes, sizeField, sizesOf } from './image-sizes.ts'
import { openAiImages } from './images.ts'

/** OpenAI's own models, at OpenAI and at Azure, where a deployment is usually named after its model. */
export const gptImages = openAiImages({
  // The newer models respond with base64 and reject the option.
  responseFormat: (target) => (isDallE(target) ? 'b64_json' : undefined),
  atOnce: ({ upstreamModel }) => (/dall-e-3/i.test(upstreamModel) ? 1 : 10),
  writeSize: sizeField(sizesFor),
  inputs: { kind: 'form', path: '/images/edits', field: 'image[]', most: 16 },
  takesQuality: true,
  extras: ['background', 'output_format', 'output_compression', 'input_fidelity', 'style', 'user'],
})

function isDallE({ upstreamModel }: MediaTarget): boolean {
  return /dall-e/i.test(upstreamModel)
}

function sizesFor({ upstreamModel }: MediaTarget): KnownSizes {
  if (/dall-e-2/i.test(upstreamModel)) return sizesOf('256x256', '512x512', '1024x1024')
  if (/dall-e-3/i.test(upstreamModel)) return sizesOf('1024x1024', '1792x1024', '1024x1792')
  if (/gpt-image-1/i.test(upstreamModel)) return sizesOf('1024x1024', '1536x1024', '1024x1536')
  return freeSizes
}

/** Since gpt-image-2. */
const freeSizes: PixelRange = {
  step: 16,
  side: { least: 256, most: 3_840 },
  pixels: { least: 655_360, most: 8_294_400 },
}
