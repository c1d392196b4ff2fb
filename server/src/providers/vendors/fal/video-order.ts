import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoDetailsOf } from '#domain/video/video-details.ts'
import type { JsonObject } from '#lib/json.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { refuseOtherSeconds } from '#providers/codecs/videos/host-duration.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseOtherTasks, unsupported } from '#providers/codecs/videos/refuse-task.ts'
import { appForTask, type VideoAppTraits, type VideoFields, videoAppTraitsOf } from './video-traits.ts'

interface FalVideoOrder {
  /** The app, with the path for the task. */
  readonly app: string
  readonly body: JsonObject
}

export function falVideoOrder(task: VideoTask, target: MediaTarget): FalVideoOrder {
  const traits = videoAppTraitsOf(target.upstreamModel)
  const { paths, fields, writeSeconds } = traits
  refuseOtherTasks(task, 'fal', falTasksFor(target.upstreamModel))
  refuseOtherSeconds(task, 'fal', target)
  const { hasAudio } = videoDetailsOf(target.details)
  return {
    app: appForTask(target.upstreamModel, paths[task.task] ?? ''),
    body: {
      ...passedOn(task, target),
      prompt: task.prompt,
      ...inputsOf(task, fields),
      ...(task.task === 'video_edit' ? {} : { duration: writeSeconds(task.durationS) }),
      ...formOf(task, traits, target),
      ...(hasAudio ? { generate_audio: task.audio } : {}),
      ...(task.seed === null ? {} : { seed: task.seed }),
      ...fixedParameters(target),
    },
  }
}

export function falTasksFor(app: string): readonly VideoTaskKind[] {
  const { paths } = videoAppTraitsOf(app)
  return falTasks.filter((kind) => paths[kind] !== undefined)
}

export const falTasks: readonly VideoTaskKind[] = [
  'text_to_video',
  'image_to_video',
  'keyframes',
  'reference_to_video',
  'video_edit',
]

function formOf(task: VideoTask, traits: VideoAppTraits, target: MediaTarget): JsonObject {
  const { resolutions, writeResolution, ratios, wordsHaveForm } = traits
  const isFromWords = task.task === 'text_to_video'
  if (isFromWords && !wordsHaveForm) return {}
  const resolution = task.resolution?.toLowerCase()
  if (resolution !== undefined && resolutions?.length !== 0 && resolutions?.includes(resolution) === false) {
    throw unsupported(`fal supports the resolutions ${resolutions.join(', ')} with this model, not ${resolution}.`)
  }
  const isFree = (isFromWords || task.task === 'reference_to_video') && ratios.length > 0
  return {
    ...(resolution === undefined || resolutions?.length === 0 ? {} : { resolution: writeResolution(resolution) }),
    ...(isFree ? { aspect_ratio: ratioOf(task, ratios, target) } : {}),
  }
}

function inputsOf(task: VideoTask, fields: VideoFields): JsonObject {
  switch (task.task) {
    case 'image_to_video':
      return { [fields.first]: firstFrameOf(task, 'fal') }
    case 'keyframes':
      return { [fields.firstOfTwo]: firstFrameOf(task, 'fal'), [fields.last]: task.lastFrame }
    case 'reference_to_video':
      return { [fields.references]: [...task.references] }
    case 'video_edit':
      return { video_url: task.inputVideo?.url }
    default:
      return {}
  }
}
