import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { ImageSize } from './media-task.ts'

// The tokens of the most expensive known model for its largest and best image, and more pixels than a plain request
// gets anywhere.
const tokensMax = 6_400
export const pixelsMax = 4_194_304

/**
 * The maximum usage of this many images, in every unit that a provider may count. A model that does not support the
 * requested size makes the nearest, which may be larger.
 */
export function worstImages(count: number, size: ImageSize | null = null): Usage {
  const pixels = size === null ? pixelsMax : Math.max(pixelsMax, size.width * size.height)
  return {
    ...noUsage,
    imageOutput: count * tokensMax,
    media: { outputImages: count, outputPixels: count * pixels },
  }
}
