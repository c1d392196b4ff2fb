import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { hostDuration, secondsFromTo } from '#providers/codecs/videos/host-duration.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import { statedMs } from '#providers/codecs/videos/stated-length.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'

const tasks: readonly VideoTaskKind[] = [
  'text_to_video',
  'image_to_video',
  'reference_to_video',
  'continuation',
  'video_edit',
]
const referencesMax = 7

/** Grok Imagine. It reports the cost of a video, which is not used, because clients were shown the price list. */
export const xaiVideos: VideoCodec = {
  tasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'xAI', tasks)
    refuseMoreReferences(task, 'xAI', referencesMax)
    const answer = jsonOf(yield* send(jsonRequest(target, pathOf(task), orderOf(task, target))), readFailure)
    return { id: givenId(answer, 'request_id') }
  },
  *poll(reference, target, task) {
    const path = `/videos/${encodeURIComponent(storedText(reference, 'id'))}`
    const job = jobIn(yield* send(getRequest(target, path)), readFailure)
    return job === null ? forgottenVideo : progressOf(job, task)
  },
}

function pathOf({ task }: VideoTask): string {
  if (task === 'video_edit') return '/videos/edits'
  return task === 'continuation' ? '/videos/extensions' : '/videos/generations'
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const common = { ...passedOn(task, target), model: target.upstreamModel, prompt: task.prompt }
  // Edited and extended videos keep their ratio and resolution.
  if (task.inputVideo !== null) {
    return { ...common, video: { url: task.inputVideo.url }, ...addedSeconds(task, target), ...fixedParameters(target) }
  }
  return {
    ...common,
    duration: hostDuration(task, 'xAI', secondsFromTo(1, 15), target),
    resolution: task.resolution?.toLowerCase(),
    ...(task.task === 'image_to_video'
      ? { image: { url: firstFrameOf(task, 'xAI') } }
      : { aspect_ratio: ratioOf(task, ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'], target) }),
    ...(task.references.length === 0 ? {} : { reference_images: task.references.map((url) => ({ url })) }),
    ...fixedParameters(target),
  }
}

/** The duration of the added part only. */
function addedSeconds(task: VideoTask, target: MediaTarget): JsonObject {
  if (task.task !== 'continuation' || task.inputVideo === null) return {}
  const durationS = Math.max(1, Math.ceil(task.durationS - task.inputVideo.durationMs / 1_000))
  return { duration: hostDuration({ ...task, durationS }, 'xAI', secondsFromTo(2, 10), target) }
}

function progressOf(job: JsonObject, task: VideoTask): VideoProgress {
  const video = objectAt(job, 'video')
  switch (job.status) {
    case 'pending':
      return typeof job.progress === 'number' && job.progress > 0 ? atWork : waiting
    case 'done': {
      // The video was created but withheld.
      if (video.respect_moderation === false) return refusedContent(undefined)
      const outputVideoMs = statedMs(video.duration)
      const usage = videoUsage(task, outputVideoMs === undefined ? {} : { outputVideoMs })
      return { kind: 'made', outputs: publicOutputs([video.url]), usage }
    }
    case 'failed':
    case 'expired':
      return failureOf(job)
    default:
      return atWork
  }
}

function failureOf(job: JsonObject): VideoProgress {
  const error = objectAt(job, 'error')
  const words = stringAt(error, 'message') ?? (job.status === 'expired' ? 'The request expired.' : undefined)
  return /moderat|policy|safety/i.test(stringAt(error, 'code') ?? '') ? refusedContent(words) : failedVideo(words)
}
