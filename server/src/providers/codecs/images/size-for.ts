import type { ImageSize, ImageTask } from '#domain/media/media-task.ts'
import { type PixelRange, sizeWithin } from '#domain/media/size-within.ts'
import { stringAt } from '#lib/json.ts'

/**
 * The size to request in pixels, or null to leave it to the model. A resolution such as `2K` is a square, unless there
 * is a ratio.
 */
export function sizeFor(task: ImageTask, range: PixelRange, pixelsOfRatio?: number): ImageSize | null {
  const named = namedPixels(task)
  const isSquare = named !== undefined && task.inputs.length === 0
  const aspectRatio = task.aspectRatio ?? (isSquare ? '1:1' : null)
  return sizeWithin({ size: task.size, aspectRatio }, range, named ?? pixelsOfRatio)
}

/** Such as `2K`, if the client named one. */
export function namedResolution({ extras }: ImageTask): string | undefined {
  const resolution = stringAt(extras, 'resolution')
  return resolution !== undefined && resolutionForm.test(resolution) ? resolution.toUpperCase() : undefined
}

const resolutionForm = /^(?:0\.5|\d)k$/i

function namedPixels(task: ImageTask): number | undefined {
  const resolution = namedResolution(task)
  return resolution === undefined ? undefined : (Number.parseFloat(resolution) * 1_024) ** 2
}
