import { anySize, sizeField } from '../codecs/openai/image-sizes.ts'
import { openAiImages } from '../codecs/openai/images.ts'

export const deepinfraImages = openAiImages({
  responseFormat: 'b64_json',
  atOnce: 4,
  writeSize: sizeField(() => anySize),
  inputs: { kind: 'form', path: '/images/edits', field: 'image', most: 1 },
  takesQuality: true,
  extras: ['style', 'user'],
})
