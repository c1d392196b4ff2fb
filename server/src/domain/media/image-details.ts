import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { ImageSize } from './media-task.ts'
import { parseImageSize } from './parse-image-size.ts'

/** The catalogue's `image` field of a model; null and empty if it is missing. */
interface ImageDetails {
  readonly countMax: number | null
  readonly inputsMax: number | null
  readonly sizes: readonly ImageSize[]
  /** For example `16:9`. */
  readonly aspectRatios: readonly string[]
  /** For example `1K`, `2K`. */
  readonly resolutions: readonly string[]
}

export function imageDetailsOf(details: JsonObject): ImageDetails {
  const image = objectAt(details, 'image')
  return {
    countMax: countAt(image, 'max_n') ?? null,
    inputsMax: countAt(image, 'max_input_references') ?? null,
    sizes: textsAt(image, 'sizes').flatMap((text) => {
      const stated = parseImageSize(text)
      return stated.kind === 'pixels' ? [stated.size] : []
    }),
    aspectRatios: textsAt(image, 'aspect_ratios'),
    resolutions: textsAt(image, 'resolutions'),
  }
}

/** An array, or the values of a range in the format of listings. */
function textsAt(image: JsonObject, name: string): string[] {
  const stated = image[name]
  const list = isJsonObject(stated) ? stated.values : stated
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}
