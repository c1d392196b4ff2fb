import { nearestResolution } from '#domain/media/fit-image-size.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { JsonObject } from '#lib/json.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { namedResolution } from '#providers/codecs/images/size-for.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** Google states sizes by ratio and, if a model supports several, by the name of a resolution. */
export function geminiForm(task: ImageTask, target: MediaTarget): JsonObject {
  return formOf(task, target, {
    ratios: geminiRatios,
    // Models before the third generation had one resolution and reject the field.
    resolutions: /gemini-(?:[3-9]|\d\d)/i.test(target.upstreamModel) ? ['1K', '2K', '4K'] : [],
  })
}

/** Imagen has its own name for the resolution. */
export function imagenForm(task: ImageTask, target: MediaTarget): JsonObject {
  const { imageSize, ...ratio } = formOf(task, target, {
    ratios: imagenRatios,
    resolutions: /imagen-4/i.test(target.upstreamModel) ? ['1K', '2K'] : [],
  })
  return { ...ratio, ...(imageSize === undefined ? {} : { sampleImageSize: imageSize }) }
}

const geminiRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const
const imagenRatios = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const

interface Known {
  readonly ratios: readonly string[]
  readonly resolutions: readonly string[]
}

function formOf(task: ImageTask, target: MediaTarget, known: Known): JsonObject {
  const { resolutions } = imageDetailsOf(target.details)
  const aspectRatio = ratioFor(task, target, known.ratios)
  const imageSize = resolutionOf(task, resolutions.length > 0 ? resolutions : known.resolutions)
  return { ...(aspectRatio === undefined ? {} : { aspectRatio }), ...(imageSize === null ? {} : { imageSize }) }
}

function resolutionOf(task: ImageTask, resolutions: readonly string[]): string | null {
  const named = namedResolution(task)
  const exact = resolutions.find((name) => name.toUpperCase() === named)
  return exact ?? nearestResolution(task, resolutions)
}
