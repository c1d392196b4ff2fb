import { nearestSize, writeSize } from '#domain/media/fit-image-size.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import type { ImageSize, ImageTask } from '#domain/media/media-task.ts'
import type { PixelRange } from '#domain/media/size-within.ts'
import { stringAt } from '#lib/json.ts'
import { overriddenSizes, ratioFor } from '../images/known-forms.ts'
import { namedResolution, sizeFor } from '../images/size-for.ts'
import type { MediaTarget } from '../target.ts'
import type { MediaMembers } from './image-habits.ts'

type WriteSize = (task: ImageTask, target: MediaTarget) => MediaMembers

/** The sizes that a model supports: one of these, or any within a range. */
export type KnownSizes = readonly ImageSize[] | PixelRange

/**
 * `size` in pixels: the nearest of those that the operator lists, or else the catalogue, or else the model's known
 * sizes.
 */
export function sizeField(knownFor: (target: MediaTarget) => KnownSizes, name = 'size'): WriteSize {
  return (task, target) => {
    const { sizes } = imageDetailsOf(target.details)
    const known = overriddenSizes(target) ?? (sizes.length > 0 ? sizes : knownFor(target))
    const size = 'step' in known ? sizeFor(task, known) : nearestSize(task, known)
    return { [name]: size === null ? stringAt(task.extras, 'size') : writeSize(size) }
  }
}

/** For upstreams that accept any size, or that have no known rules. */
export const anySize: PixelRange = { step: 1, side: { least: 1, most: 16_384 }, pixels: { least: 1, most: 2 ** 28 } }

/** `width` and `height`, within the upstream's limits. */
export function sideFields(range: PixelRange): WriteSize {
  return (task) => {
    const size = sizeFor(task, range)
    return size === null ? {} : { width: size.width, height: size.height }
  }
}

/** `aspect_ratio`, and `resolution` if the client named one. */
export function ratioField(ratios: readonly string[], writeResolution = (name: string) => name): WriteSize {
  return (task, target) => {
    const resolution = namedResolution(task)
    return {
      aspect_ratio: ratioFor(task, target, ratios),
      resolution: resolution === undefined ? undefined : writeResolution(resolution),
    }
  }
}

export function sizesOf(...texts: readonly `${number}x${number}`[]): readonly ImageSize[] {
  return texts.map((text) => {
    const [width = 0, height = 0] = text.split('x').map(Number)
    return { width, height }
  })
}
