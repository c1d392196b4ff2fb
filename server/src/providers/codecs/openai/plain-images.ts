import { anySize, sizeField } from './image-sizes.ts'
import { openAiImages } from './images.ts'

/** Upstreams without known rules: they are assumed to act like OpenAI, and get no field that OpenAI would reject. */
export const plainImages = openAiImages({
  writeSize: sizeField(() => anySize),
  inputs: { kind: 'form', path: '/images/edits', field: 'image[]', most: 8 },
  takesQuality: true,
  extras: ['background', 'output_format', 'output_compression', 'style', 'user', 'seed', 'negative_prompt'],
})
