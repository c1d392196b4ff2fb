import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { contentItems } from '#providers/codecs/videos/content-items.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { hostDuration, secondsFromTo } from '#providers/codecs/videos/host-duration.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import { statedMs } from '#providers/codecs/videos/stated-length.ts'
import { statedResolution } from '#providers/codecs/videos/stated-resolution.ts'
import { atWork, failedVideo, forgottenVideo, refusedContent, waiting } from '#providers/codecs/videos/video-outcome.ts'
import { minimaxAnswer, minimaxJob } from './read-failure.ts'
import { minimaxVideoTarget } from './video-target.ts'

const tasks: readonly VideoTaskKind[] = [
  'text_to_video',
  'image_to_video',
  'keyframes',
  'reference_to_video',
  'video_edit',
]
const referencesMax = 9

/** The second API, for Hailuo 3. It reports the seconds of input and output. */
export const hailuo3Videos: VideoCodec = {
  tasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'MiniMax', tasks)
    refuseMoreReferences(task, 'MiniMax', referencesMax)
    const request = jsonRequest(minimaxVideoTarget(target, 'v2'), '/video_generation', orderOf(task, target))
    return { id: givenId(minimaxAnswer(yield* send(request)), 'task_id') }
  },
  *poll(reference, target, task) {
    const path = `/query/video_generation/${encodeURIComponent(storedText(reference, 'id'))}`
    const answer = minimaxJob(yield* send(getRequest(minimaxVideoTarget(target, 'v2'), path)))
    return answer === null ? forgottenVideo : progressOf(objectAt(answer, 'task'), task)
  },
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const isFree = task.task === 'text_to_video' || task.task === 'reference_to_video'
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    content: contentItems(task, 'MiniMax'),
    resolution: task.resolution?.toUpperCase(),
    duration: hostDuration(task, 'MiniMax', secondsFromTo(5, 15), target),
    ...(isFree ? { ratio: ratioOf(task, ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'], target) } : {}),
    aigc_watermark: task.watermark,
    ...fixedParameters(target),
  }
}

function progressOf(job: JsonObject, task: VideoTask): VideoProgress {
  switch (job.status) {
    case 'queued':
    case 'pending':
      return waiting
    case 'succeeded':
      return { kind: 'made', outputs: publicOutputs([objectAt(job, 'content').url]), usage: usageOf(job, task) }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return failureOf(job)
    default:
      return atWork
  }
}

function usageOf(job: JsonObject, task: VideoTask) {
  const { output_seconds: output, input_seconds: input } = objectAt(job, 'usage')
  const outputVideoMs = statedMs(output) ?? statedMs(job.duration)
  const inputVideoMs = task.inputVideo === null ? undefined : statedMs(input)
  const resolution = statedResolution(job.resolution)
  return videoUsage(task, {
    ...(outputVideoMs === undefined ? {} : { outputVideoMs }),
    ...(inputVideoMs === undefined ? {} : { inputVideoMs }),
    ...(resolution === undefined ? {} : { variant: { resolution } }),
  })
}

function failureOf({ status, error }: JsonObject): VideoProgress {
  const { code, message } = objectAt({ error }, 'error')
  const words = [message, error, `The task was ${String(status)}.`].find((text) => typeof text === 'string')
  // The codes of rejected content, for input and for output.
  return code === 1026 || code === 1027 || code === '1026' || code === '1027'
    ? refusedContent(words)
    : failedVideo(words)
}
