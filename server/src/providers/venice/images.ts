import { anySize, sizeField } from '../codecs/openai/image-sizes.ts'
import { openAiImages } from '../codecs/openai/images.ts'

export const veniceImages = openAiImages({
  responseFormat: 'b64_json',
  atOnce: 1,
  writeSize: sizeField(() => anySize),
  extras: ['background', 'output_format', 'style', 'user'],
})
