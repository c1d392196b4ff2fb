import { nearestResolution, writeSize } from '#domain/media/fit-image-size.ts'
import { isVariantWord } from '#domain/media/made-variant.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { stringAt } from '#lib/json.ts'

/** The attributes that may select among the prices of a model's images. */
export function imageVariant(task: ImageTask): Record<string, string> {
  const { size, quality, extras } = task
  const resolution = stringAt(extras, 'resolution') ?? nearestResolution(task, ['1K', '2K', '4K'])
  return {
    ...(size === null ? {} : { size: writeSize(size) }),
    // Conversations state these options in free words, only some of which have a price.
    ...(quality === null || !isVariantWord(quality) ? {} : { quality }),
    ...(resolution === null || !isVariantWord(resolution) ? {} : { resolution }),
  }
}
