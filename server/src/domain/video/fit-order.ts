import type { Model } from '#domain/catalogue/model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type VideoDetails, videoDetailsOf, videoTasksOf } from './video-details.ts'
import { taskKindOf, type VideoOrder } from './video-order.ts'
import type { VideoTask } from './video-task.ts'

// The defaults: a short video, in the resolution that most providers do best.
const usualDurationS = 5
const usualResolution = '720p'

/** Converts an order to a task of a model. Rejects with a list of supported values. */
export function fitOrder(order: VideoOrder, model: Model): VideoTask {
  const task = taskKindOf(order)
  const tasks = videoTasksOf(model)
  if (!tasks.includes(task)) {
    throw unsupported(`"${model.id}" does not accept ${inputsOf[task]}. Supported: ${tasks.join(', ')}.`)
  }
  const details = videoDetailsOf(model.details)
  const isFromInput = task !== 'text_to_video' && task !== 'reference_to_video'
  return {
    ...order,
    kind: 'video',
    task,
    durationS: durationOf(order, task, details, model),
    resolution: resolutionOf(order, details, model),
    // An input image or video determines the ratio, so another ratio is ignored.
    aspectRatio: isFromInput ? null : aspectRatioOf(order, details, model),
    audio: details.hasAudio && order.audio !== false,
    // A preference, not a limit: if the model takes no seed, any video is fine.
    seed: details.takesSeed === false ? null : order.seed,
  }
}

const inputsOf: Readonly<Record<VideoTask['task'], string>> = {
  text_to_video: 'a prompt without media',
  image_to_video: 'a first frame',
  keyframes: 'a first and a last frame',
  reference_to_video: 'reference images',
  continuation: 'a video to extend',
  video_edit: 'a video to edit',
}

function durationOf(order: VideoOrder, task: VideoTask['task'], { durations }: VideoDetails, model: Model): number {
  if (task === 'video_edit' && order.inputVideo !== null)
    return Math.max(1, Math.ceil(order.inputVideo.durationMs / 1_000))
  if (order.durationS === null) return nearest(durations, usualDurationS)
  if (durations.length === 0 || durations.includes(order.durationS)) return order.durationS
  throw unsupported(`"${model.id}" supports durations of ${durations.join(', ')} seconds, not ${order.durationS}.`)
}

/** On a tie the longer one wins. */
function nearest(values: readonly number[], wanted: number): number {
  const [first, ...rest] = values.toSorted((one, other) => other - one)
  if (first === undefined) return wanted
  return rest.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best), first)
}

function resolutionOf(order: VideoOrder, { resolutions, sizes }: VideoDetails, model: Model): string | null {
  if (order.size !== null) {
    const size = `${order.size.width}x${order.size.height}`
    if (sizes.length > 0 && !sizes.includes(size)) {
      throw unsupported(`"${model.id}" supports the sizes ${sizes.join(', ')}, not ${size}.`)
    }
    if (order.resolution === null) return resolutionOfSize(order.size, resolutions)
  }
  if (order.resolution === null) {
    return resolutions.find((each) => each.toLowerCase() === usualResolution) ?? resolutions[0] ?? null
  }
  const asked = order.resolution.toLowerCase()
  const found = resolutions.find((each) => each.toLowerCase() === asked)
  if (found !== undefined || resolutions.length === 0) return (found ?? order.resolution).toLowerCase()
  throw unsupported(`"${model.id}" supports the resolutions ${resolutions.join(', ')}, not ${order.resolution}.`)
}

/** The shorter side names the resolution. */
function resolutionOfSize({ width, height }: { width: number; height: number }, known: readonly string[]): string {
  const name = `${Math.min(width, height)}p`
  if (known.length === 0 || known.includes(name)) return name
  const wide = Math.min(width, height) >= 2_000 ? '4k' : name
  return known.find((each) => each.toLowerCase() === wide)?.toLowerCase() ?? name
}

function aspectRatioOf(order: VideoOrder, { aspectRatios }: VideoDetails, model: Model): string | null {
  if (order.aspectRatio === null || aspectRatios.length === 0) return order.aspectRatio
  if (aspectRatios.includes(order.aspectRatio)) return order.aspectRatio
  throw unsupported(`"${model.id}" supports the aspect ratios ${aspectRatios.join(', ')}, not ${order.aspectRatio}.`)
}

function unsupported(message: string): GatewayError {
  return new GatewayError('unsupportedParam', { message })
}
