import { nearestResolution, writeSize } from './fit-image-size.ts'
import type { ImageSize, ImageTask } from './media-task.ts'

type Variant = Readonly<Record<string, string>>

/**
 * The variant that selects the image price, by the output and not by the request: a provider that does not support a
 * size creates the nearest size, which may cost more. A resolution in a provider's own term is kept, because its pixels
 * are unknown.
 */
export function madeVariant(asked: Variant, task: Pick<ImageTask, 'size'>, made: readonly ImageSize[]): Variant {
  const size = made.toSorted((one, other) => areaOf(other) - areaOf(one))[0]
  if (size === undefined) return asked
  const { resolution: stated } = asked
  const isOwnWord = task.size === null && stated !== undefined && !thousands.test(stated)
  const resolution = isOwnWord ? stated : nearestResolution({ size }, ['1K', '2K', '4K'])
  return { ...asked, size: writeSize(size), ...(resolution === null ? {} : { resolution }) }
}

const thousands = /^(?:0\.5|\d)k$/i

function areaOf({ width, height }: ImageSize): number {
  return width * height
}

/** Whether a string can select a price, such as `1024x1024`, `16:9`, `4K` or `high`. */
export function isVariantWord(text: string): boolean {
  return /^[\w.:×* -]{1,40}$/.test(text)
}
