import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { negativePromptOf, passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'

/** The path and body of a request. The path is part of a task's identity: the task is polled at the same one. */
interface KlingOrder {
  readonly path: string
  readonly body: JsonObject
}

export function klingOrder(task: VideoTask, target: MediaTarget, name: string): KlingOrder {
  refuseOtherTasks(task, 'Kling', klingTasks(target))
  return {
    path: klingPath(task, target),
    body: {
      ...passedOn(task, target),
      model_name: target.upstreamModel,
      prompt: task.prompt,
      negative_prompt: negativePromptOf(task),
      ...(task.task === 'video_edit' ? {} : { duration: String(klingSeconds(task, target)) }),
      ...(isOmni(target) ? omniInputs(task) : plainInputs(task)),
      ...soundOf(task, target),
      ...ratioField(task, target),
      watermark_info: { enabled: task.watermark },
      ...fixedParameters(target),
      external_task_id: name,
    },
  }
}

/** Models that take all inputs in one request format are a separate family. */
function isOmni({ upstreamModel }: Pick<MediaTarget, 'upstreamModel'>): boolean {
  return /-o1\b|omni/.test(upstreamModel)
}

const plainTasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video']
export const omniTasks: readonly VideoTaskKind[] = [...plainTasks, 'video_edit']

export function klingTasks(target: Pick<MediaTarget, 'upstreamModel'>): readonly VideoTaskKind[] {
  return isOmni(target) ? omniTasks : plainTasks
}

export function klingPath({ task }: VideoTask, target: MediaTarget): string {
  if (isOmni(target)) return '/v1/videos/omni-video'
  if (task === 'text_to_video') return '/v1/videos/text2video'
  return task === 'reference_to_video' ? '/v1/videos/multi-image2video' : '/v1/videos/image2video'
}

export function klingSeconds(task: VideoTask, target: MediaTarget): number {
  // An edited video keeps its length.
  if (task.task === 'video_edit') return task.durationS
  return hostDuration(
    task,
    'Kling',
    target.upstreamModel.startsWith('kling-v3') ? thirdGenerationSeconds : [5, 10],
    target,
  )
}

const thirdGenerationSeconds = Array.from({ length: 13 }, (_, index) => index + 3)

/** The quality of a video, which is part of the model's name in the catalogue or requested by the client. */
export function klingMode(task: VideoTask, target: MediaTarget): string | undefined {
  return stringAt(fixedParameters(target), 'mode') ?? stringAt(passedOn(task, target), 'mode')
}

const plainReferencesMax = 4
const omniReferencesMax = 7

function plainInputs(task: VideoTask): JsonObject {
  if (task.task === 'text_to_video') return {}
  if (task.task === 'reference_to_video') {
    refuseMoreReferences(task, 'Kling', plainReferencesMax)
    return { image_list: task.references.map((image) => ({ image })) }
  }
  return { image: firstFrameOf(task, 'Kling'), ...(task.lastFrame === null ? {} : { image_tail: task.lastFrame }) }
}

function omniInputs(task: VideoTask): JsonObject {
  refuseMoreReferences(task, 'Kling', omniReferencesMax)
  const frames =
    task.task === 'image_to_video' || task.task === 'keyframes'
      ? [
          { image_url: firstFrameOf(task, 'Kling'), type: 'first_frame' },
          ...(task.lastFrame === null ? [] : [{ image_url: task.lastFrame, type: 'end_frame' }]),
        ]
      : task.references.map((url) => ({ image_url: url }))
  const sound = task.audio ? 'yes' : 'no'
  const base = task.inputVideo
  return {
    ...(frames.length === 0 ? {} : { image_list: frames }),
    ...(base === null ? {} : { video_list: [{ video_url: base.url, refer_type: 'base', keep_original_sound: sound }] }),
  }
}

/** Older models do not have the field. */
function soundOf({ audio }: VideoTask, { details }: MediaTarget): JsonObject {
  const isChoice = objectAt(details, 'video').generate_audio === true
  return audio || isChoice ? { sound: audio ? 'on' : 'off' } : {}
}

/** An input image or video has its own ratio. */
function ratioField(task: VideoTask, target: MediaTarget): JsonObject {
  const isFree = task.task === 'text_to_video' || task.task === 'reference_to_video'
  return isFree ? { aspect_ratio: ratioOf(task, ['16:9', '9:16', '1:1'], target) } : {}
}
