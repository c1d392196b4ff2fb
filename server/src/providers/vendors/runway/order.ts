import { nearestSize, writeSize } from '#domain/media/fit-image-size.ts'
import type { ImageSize } from '#domain/media/media-task.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { overriddenSizes } from '#providers/codecs/images/known-forms.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { refuseOtherSeconds } from '#providers/codecs/videos/host-duration.ts'
import { frameSizeOf } from '#providers/codecs/videos/frame-size.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseOtherTasks, unsupported } from '#providers/codecs/videos/refuse-task.ts'
import { type RunwayTraits, runwayTraitsOf } from './models.ts'

interface RunwayOrder {
  readonly path: string
  readonly body: JsonObject
}

export function runwayOrder(task: VideoTask, target: MediaTarget): RunwayOrder {
  const traits = runwayTraitsOf(target.upstreamModel)
  refuseOtherTasks(task, 'Runway', traits.tasks)
  refuseOtherSeconds(task, 'Runway', target)
  const isEdit = task.task === 'video_edit'
  return {
    path: pathOf(task),
    body: {
      ...passedOn(task, target),
      model: target.upstreamModel,
      promptText: task.prompt,
      ...inputsOf(task, traits),
      ...(isEdit ? {} : { duration: task.durationS }),
      ...frameFields(task, traits, target),
      ...(traits.takesSeed && task.seed !== null ? { seed: task.seed } : {}),
      ...(traits.takesAudio ? { audio: task.audio } : {}),
      ...fixedParameters(target),
    },
  }
}

function pathOf({ task }: VideoTask): string {
  if (task === 'video_edit') return '/v1/video_to_video'
  return task === 'image_to_video' || task === 'keyframes' ? '/v1/image_to_video' : '/v1/text_to_video'
}

function inputsOf(task: VideoTask, { videoField }: RunwayTraits): JsonObject {
  switch (task.task) {
    case 'image_to_video':
      return { promptImage: firstFrameOf(task, 'Runway') }
    case 'keyframes':
      return { promptImage: [at(firstFrameOf(task, 'Runway'), 'first'), at(task.lastFrame, 'last')] }
    case 'reference_to_video':
      return { references: task.references.map((uri) => ({ uri })) }
    case 'video_edit':
      return { [videoField]: task.inputVideo?.url }
    default:
      return {}
  }
}

function at(uri: string | null, position: string): JsonValue {
  return { uri, position }
}

/**
 * Pixels separated by a colon. Models that require a ratio get the usual one in requests with an image, which is
 * cropped to it.
 */
function frameFields(task: VideoTask, traits: RunwayTraits, target: MediaTarget): JsonObject {
  if (task.task === 'video_edit' && traits.keepsFrameOfVideos === true) return {}
  const isFromImage = task.task === 'image_to_video' || task.task === 'keyframes'
  if (isFromImage && traits.imageResolutions !== undefined) return resolutionField(task, traits.imageResolutions)
  const isFree = task.task === 'text_to_video' || task.task === 'reference_to_video'
  const frame = frameSizeOf(task)
  const isLarge = task.resolution !== null && frame !== null && shorterOf(frame) > usualLines
  if (!isFree && task.size === null && !traits.needsRatio && !isLarge) return {}
  return { ratio: writeSize(nearestFrame(frame ?? usualFrame, task, traits, target), ':') }
}

function resolutionField({ resolution }: VideoTask, known: readonly string[]): JsonObject {
  if (resolution === null) return {}
  if (known.includes(resolution.toLowerCase())) return { resolution: resolution.toLowerCase() }
  throw unsupported(`Runway supports the resolutions ${known.join(', ')} with this model, not ${resolution}.`)
}

const usualLines = 720
const usualFrame: ImageSize = { width: 1_280, height: usualLines }

/**
 * The nearest supported frame, unless the video would then be created, and charged, at less than the requested
 * resolution.
 */
function nearestFrame(
  frame: ImageSize,
  task: VideoTask,
  { ratios, wordRatios = ratios }: RunwayTraits,
  target: MediaTarget,
): ImageSize {
  const known = overriddenSizes(target) ?? (task.task === 'text_to_video' ? wordRatios : ratios).map(sizeIn)
  const nearest = nearestSize({ size: frame, aspectRatio: null }, known) ?? frame
  if (task.resolution === null || shorterOf(nearest) >= shorterOf(frame) * leastShare) return nearest
  throw unsupported(`Runway does not support the resolution ${task.resolution} with this model.`)
}

/** Frames are named by their shorter side, and wide ones are a little smaller than their name: 946 lines for 1080p. */
const leastShare = 0.8

function shorterOf({ width, height }: ImageSize): number {
  return Math.min(width, height)
}

function sizeIn(ratio: string): ImageSize {
  const [width = 0, height = 0] = ratio.split(':').map(Number)
  return { width, height }
}
