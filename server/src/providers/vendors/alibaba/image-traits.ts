import type { ImageSize } from '#domain/media/media-task.ts'
import type { PixelRange } from '#domain/media/size-within.ts'
import type { InputLimits } from '#providers/codecs/images/refuse-inputs.ts'

/** The sizes and numbers of images that one model family supports. */
export interface ImageTraits {
  readonly form:
    | { readonly sizes: readonly ImageSize[] }
    | { readonly range: PixelRange; readonly pixelsOfRatio: number }
  readonly atOnce: number
  readonly inputs: InputLimits
}

export function imageTraitsOf(model: string): ImageTraits {
  return families.find(({ is }) => is.test(model))?.traits ?? unified
}

const between = (least: number, most: number): PixelRange => ({
  step: 16,
  side: { least: 256, most: 4_096 },
  pixels: { least, most },
})

/** One model for text and images, as in every generation since the second. */
const unified: ImageTraits = {
  form: { range: between(512 * 512, 2_048 * 2_048), pixelsOfRatio: 1_048_576 },
  atOnce: 6,
  inputs: { most: 8 },
}

const firstSizes: readonly ImageSize[] = [
  { width: 1_328, height: 1_328 },
  { width: 1_664, height: 928 },
  { width: 928, height: 1_664 },
  { width: 1_472, height: 1_104 },
  { width: 1_104, height: 1_472 },
]

const families: readonly { is: RegExp; traits: ImageTraits }[] = [
  { is: /^qwen-image-edit$/, traits: { ...unified, atOnce: 1, inputs: { least: 1, most: 1 } } },
  { is: /^qwen-image-edit/, traits: { ...unified, inputs: { least: 1, most: 3 } } },
  {
    is: /^qwen-image(?:-plus|-max)?(?:-\d{4}-\d{2}-\d{2})?$/,
    traits: { form: { sizes: firstSizes }, atOnce: 1, inputs: { most: 0 } },
  },
  { is: /^z-image/, traits: { ...unified, atOnce: 1, inputs: { most: 0 } } },
  {
    is: /^wan.*t2i/,
    traits: {
      form: { range: between(1_280 * 1_280, 1_440 * 1_440), pixelsOfRatio: 1_280 * 1_280 },
      atOnce: 4,
      inputs: { most: 0 },
    },
  },
  {
    is: /^wan/,
    traits: {
      form: { range: between(768 * 768, 2_048 * 2_048), pixelsOfRatio: 1_280 * 1_280 },
      atOnce: 4,
      inputs: { most: 4 },
    },
  },
]
