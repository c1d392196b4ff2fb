import { nearestAspectRatio, parseRatio } from '#domain/media/fit-image-size.ts'
import type { ImageSize } from '#domain/media/media-task.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaTarget } from '../target.ts'

/** The frame that a request describes, in pixels, or null if it names none. */
export function frameSizeOf({ size, resolution, aspectRatio }: VideoTask): ImageSize | null {
  if (size !== null) return size
  if (resolution === null && aspectRatio === null) return null
  const shorter = sideOf(resolution) ?? usualSide
  const ratio = parseRatio(aspectRatio ?? usualRatio) ?? 16 / 9
  return ratio >= 1
    ? { width: Math.round(shorter * ratio), height: shorter }
    : { width: shorter, height: Math.round(shorter / ratio) }
}

/** The requested ratio, from those that an upstream or its operator names. Undefined if the request names none. */
export function ratioOf(
  task: VideoTask,
  table: readonly string[],
  { forms }: Pick<MediaTarget, 'forms'>,
): string | undefined {
  return nearestAspectRatio(task, forms?.aspectRatios ?? table) ?? undefined
}

/** A resolution is named by the shorter side of its frames. */
export function resolutionNameOf({ width, height }: ImageSize): string {
  return `${Math.min(width, height)}p`
}

const usualSide = 720
const usualRatio = '16:9'

function sideOf(resolution: string | null): number | null {
  const [, lines, thousands] = /^(?:(\d{3,4})p|([248])k)$/i.exec(resolution ?? '') ?? []
  if (lines !== undefined) return Number(lines)
  return thousands === undefined ? null : Number(thousands) * 540
}
