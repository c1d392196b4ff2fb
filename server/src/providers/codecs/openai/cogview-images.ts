import { sizeField } from './image-sizes.ts'
import { openAiImages } from './images.ts'

/** CogView and GLM-Image, with Z.ai and Zhipu: one image at a time, at an address. */
export const cogviewImages = openAiImages({
  atOnce: 1,
  writeSize: sizeField(() => ({
    step: 32,
    side: { least: 512, most: 2_048 },
    pixels: { least: 262_144, most: 2_097_152 },
  })),
  takesQuality: true,
})
