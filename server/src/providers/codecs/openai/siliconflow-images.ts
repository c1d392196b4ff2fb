import { anySize, sizeField } from './image-sizes.ts'
import { openAiImages } from './images.ts'

/** SiliconFlow at home and abroad. Images to start from have a field each. */
export const siliconflowImages = openAiImages({
  atOnce: 4,
  countField: 'batch_size',
  writeSize: sizeField(() => anySize, 'image_size'),
  inputs: {
    kind: 'json',
    most: 3,
    write: ([image, image2, image3]) => ({ image, image2, image3 }),
  },
  extras: ['seed', 'num_inference_steps', 'guidance_scale', 'negative_prompt', 'cfg'],
})
