import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { ImageSize } from './media-task.ts'

// What the dearest known model takes for its largest and best image, and more pixels than a plain request gets
// anywhere.
const tokensMax = 6_400
export const pixelsMax = 4_194_304

/**
 * The most that so many images may come to, in every unit that a host may count them in. A model that does not make the
 * size that was asked for makes the nearest, which may be larger.
 */
export function worstImages(count: number, size: ImageSize | null = null): Usage {
  const pixels = size === null ? pixelsMax : Math.max(pixelsMax, size.width * size.height)
  return {
    ...noUsage,
    imageOutput: count * tokensMax,
    media: { outputImages: count, outputPixels: count * pixels },
  }
}
