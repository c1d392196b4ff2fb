import { nearestAspectRatio } from '#domain/media/fit-image-size.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import type { ImageSize, ImageTask } from '#domain/media/media-task.ts'
import { parseImageSize } from '#domain/media/parse-image-size.ts'
import type { MediaTarget } from '../target.ts'

type Known = Pick<MediaTarget, 'details' | 'forms'>

/** The ratio to request, from those that the operator lists, or else the catalogue, or else the codec's table. */
export function ratioFor(task: ImageTask, { details, forms }: Known, table: readonly string[]): string | undefined {
  const { aspectRatios } = imageDetailsOf(details)
  const ratios = forms?.aspectRatios ?? (aspectRatios.length > 0 ? aspectRatios : table)
  return nearestAspectRatio(task, ratios) ?? undefined
}

/** The sizes that the operator lists, or undefined if there are none. */
export function overriddenSizes({ forms }: Pick<MediaTarget, 'forms'>): readonly ImageSize[] | undefined {
  return forms?.sizes?.flatMap((text) => {
    const stated = parseImageSize(text)
    return stated.kind === 'pixels' ? [stated.size] : []
  })
}
