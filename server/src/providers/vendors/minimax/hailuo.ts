import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { minimaxFailure } from '#providers/vendors/minimax/minimax-failure.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { getRequest, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import { atWork, failedVideo, forgottenVideo, refusedContent, waiting } from '#providers/codecs/videos/video-outcome.ts'
import { minimaxAnswer, minimaxJob } from './read-failure.ts'
import { minimaxVideoTarget } from './video-target.ts'

/** The first API, for models up to Hailuo 2.3. The result is a file, and a third request returns its link. */
export const hailuoVideos: VideoCodec = {
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video'],
  tasksFor: hailuoTasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'MiniMax', hailuoTasks(target.upstreamModel))
    const request = jsonRequest(minimaxVideoTarget(target, 'v1'), '/video_generation', orderOf(task, target))
    return { id: givenId(minimaxAnswer(yield* send(request)), 'task_id') }
  },
  *poll(reference, target, task) {
    const own = minimaxVideoTarget(target, 'v1')
    const query = `task_id=${encodeURIComponent(storedText(reference, 'id'))}`
    const job = minimaxJob(yield* send(getRequest(own, `/query/video_generation?${query}`)))
    if (job === null) return forgottenVideo
    if (job.status !== 'Success') return progressOf(job)
    const file = `/files/retrieve?file_id=${encodeURIComponent(fileIdIn(job))}`
    const link = stringAt(objectAt(minimaxAnswer(yield* send(getRequest(own, file))), 'file'), 'download_url')
    const outputs = publicOutputs([link])
    if (outputs.length === 0) throw new UnusableAnswerError('MiniMax generated a video but returned no URL.')
    return { kind: 'made', outputs, usage: videoUsage(task, { outputVideoMs: secondsOf(task, target) * 1_000 }) }
  },
}

/** Each of these models supports some tasks. None has sound. */
function hailuoTasks(upstreamModel: string): readonly VideoTaskKind[] {
  return families.find(([form]) => form.test(upstreamModel))?.[1] ?? ['text_to_video', 'image_to_video', 'keyframes']
}

const families: readonly (readonly [RegExp, readonly VideoTaskKind[]])[] = [
  [/Hailuo-2\.3-Fast/i, ['image_to_video']],
  [/Hailuo-2\.3/i, ['text_to_video', 'image_to_video']],
  [/^T2V-/i, ['text_to_video']],
  [/^I2V-/i, ['image_to_video']],
  [/^S2V-/i, ['reference_to_video']],
]

function secondsOf(task: VideoTask, target: MediaTarget): number {
  return hostDuration(task, 'MiniMax', /^[TIS]2V-/i.test(target.upstreamModel) ? [6] : [6, 10], target)
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    prompt: task.prompt,
    duration: secondsOf(task, target),
    resolution: task.resolution?.toUpperCase(),
    ...inputsOf(task),
    aigc_watermark: task.watermark,
    ...fixedParameters(target),
  }
}

function inputsOf(task: VideoTask): JsonObject {
  switch (task.task) {
    case 'image_to_video':
    case 'keyframes': {
      const first = { first_frame_image: firstFrameOf(task, 'MiniMax') }
      return task.lastFrame === null ? first : { ...first, last_frame_image: task.lastFrame }
    }
    case 'reference_to_video':
      refuseMoreReferences(task, 'MiniMax', 1)
      return { subject_reference: [{ type: 'character', image: [...task.references] }] }
    default:
      return {}
  }
}

function progressOf(job: JsonObject): VideoProgress {
  switch (job.status) {
    case 'Preparing':
    case 'Queueing':
      return waiting
    case 'Fail': {
      const verdict = minimaxFailure(job)
      return verdict?.code === 'content_filter' ? refusedContent(verdict.message) : failedVideo(verdict?.message)
    }
    default:
      return atWork
  }
}

/**
 * The id is a number of many digits, mostly in quotes. If it is unquoted, parsing may have lost its last digits, and it
 * is useless.
 */
function fileIdIn({ file_id: id }: JsonObject): string {
  if (typeof id === 'string' && id !== '') return id
  if (Number.isSafeInteger(id)) return String(id)
  throw new UnusableAnswerError('MiniMax generated a video but returned no file id.')
}
