import { nearestSize, writeSize } from '#domain/media/fit-image-size.ts'
import { videoDetailsOf } from '#domain/video/video-details.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { JsonObject } from '#lib/json.ts'
import { overriddenSizes } from '#providers/codecs/images/known-forms.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { frameSizeOf, ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { negativePromptOf, passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import { type WanModel, wanModelFor, wanTasks } from './wan-model.ts'

interface WanOrder {
  readonly path: string
  readonly body: JsonObject
}

export function wanOrder(task: VideoTask, target: MediaTarget): WanOrder {
  const model = modelFor(task, target)
  refuseMoreReferences(task, 'DashScope', referencesMax)
  const isOldKeyframes = task.task === 'keyframes' && model.form === 'members'
  return {
    path: `/services/aigc/${isOldKeyframes ? 'image2video' : 'video-generation'}/video-synthesis`,
    body: {
      model: model.name,
      input: {
        prompt: task.prompt,
        negative_prompt: negativePromptOf(task),
        ...(model.form === 'list' ? listedInputs(task) : memberInputs(task)),
      },
      parameters: {
        ...knownExtras(passedOn(task, target), ['prompt_extend', 'shot_type']),
        ...(model.form === 'list' ? namedFrame(task, target) : oldFrame(task, target)),
        // An edited video keeps its length.
        ...(task.task === 'video_edit' ? {} : { duration: wanSeconds(task, target) }),
        ...(videoDetailsOf(target.details).hasAudio ? { audio: task.audio } : {}),
        ...(task.seed === null ? {} : { seed: task.seed }),
        watermark: task.watermark,
        ...fixedParameters(target),
      },
    },
  }
}

const referencesMax = 5

function modelFor(task: VideoTask, { upstreamModel }: MediaTarget): WanModel {
  refuseOtherTasks(task, 'DashScope', wanTasks(upstreamModel))
  const model = wanModelFor(upstreamModel, task.task)
  if (model === null) throw new TypeError('a task that is made has a model')
  return model
}

export function wanSeconds(task: VideoTask, target: MediaTarget): number {
  return task.task === 'video_edit'
    ? task.durationS
    : hostDuration(task, 'DashScope', modelFor(task, target).seconds, target)
}

function listedInputs(task: VideoTask): JsonObject {
  const media: JsonObject[] = []
  if (task.task === 'image_to_video' || task.task === 'keyframes') {
    media.push({ type: 'first_frame', url: firstFrameOf(task, 'DashScope') })
  }
  if (task.lastFrame !== null) media.push({ type: 'last_frame', url: task.lastFrame })
  for (const url of task.references) media.push({ type: 'reference_image', url })
  if (task.inputVideo !== null) {
    media.push({ type: task.task === 'continuation' ? 'first_clip' : 'video', url: task.inputVideo.url })
  }
  return media.length === 0 ? {} : { media }
}

function memberInputs(task: VideoTask): JsonObject {
  switch (task.task) {
    case 'image_to_video':
      return { img_url: firstFrameOf(task, 'DashScope') }
    case 'keyframes':
      return { first_frame_url: firstFrameOf(task, 'DashScope'), last_frame_url: task.lastFrame }
    case 'reference_to_video':
      return { reference_urls: [...task.references] }
    default:
      return {}
  }
}

function namedFrame(task: VideoTask, target: MediaTarget): JsonObject {
  return {
    resolution: task.resolution?.toUpperCase(),
    ...(isFree(task) ? { ratio: ratioOf(task, ratios, target) } : {}),
  }
}

/** Pixels separated by a star, unless an input image determines the size. */
function oldFrame(task: VideoTask, target: MediaTarget): JsonObject {
  if (!isFree(task)) return { resolution: task.resolution?.toUpperCase() }
  const size = nearestSize({ size: frameSizeOf(task), aspectRatio: null }, overriddenSizes(target) ?? oldSizes)
  return size === null ? {} : { size: writeSize(size, '*') }
}

function isFree({ task }: VideoTask): boolean {
  return task === 'text_to_video' || task === 'reference_to_video'
}

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4']

const oldSizes = [
  { width: 832, height: 480 },
  { width: 480, height: 832 },
  { width: 624, height: 624 },
  { width: 1_280, height: 720 },
  { width: 720, height: 1_280 },
  { width: 960, height: 960 },
  { width: 1_088, height: 832 },
  { width: 832, height: 1_088 },
  { width: 1_920, height: 1_080 },
  { width: 1_080, height: 1_920 },
  { width: 1_440, height: 1_440 },
  { width: 1_632, height: 1_248 },
  { width: 1_248, height: 1_632 },
]
