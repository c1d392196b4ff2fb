import { anySize, sizeField } from './image-sizes.ts'
import { openAiImages } from './images.ts'

/**
 * Hosts without rules of their own: they are taken to do what OpenAI does, and are told nothing that it would refuse.
 */
export const plainImages = openAiImages({
  writeSize: sizeField(() => anySize),
  inputs: { kind: 'form', path: '/images/edits', field: 'image[]', most: 8 },
  takesQuality: true,
  extras: ['background', 'output_format', 'output_compression', 'style', 'user', 'seed', 'negative_prompt'],
})
