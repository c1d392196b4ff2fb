import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { type Exchange, type MediaRequest, send } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { statedMs } from '#providers/codecs/videos/stated-length.ts'
import { statedResolution } from '#providers/codecs/videos/stated-resolution.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { nativeTarget } from './native-target.ts'
import { judgeDashscopeFailure, readDashscopeFailure } from './read-failure.ts'
import { wanTasks } from './wan-model.ts'
import { wanOrder, wanSeconds } from './wan-order.ts'

/** Wan and HappyHorse on the native API. It deletes tasks and links after a day. */
export const dashscopeVideos: VideoCodec = {
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video', 'continuation', 'video_edit'],
  tasksFor: wanTasks,
  *submit(task, target) {
    const { path, body } = wanOrder(task, target)
    const output = outputIn(yield* send(unawaited(jsonRequest(nativeTarget(target), path, body))))
    return { id: givenId(output, 'task_id') }
  },
  *poll(reference, target, task) {
    const path = `/tasks/${encodeURIComponent(storedText(reference, 'id'))}`
    const job = jobIn(yield* send(getRequest(nativeTarget(target), path)), readDashscopeFailure)
    return job === null ? forgottenVideo : progressOf(job, task, target)
  },
}

/** Videos are created asynchronously: without this header the request is rejected. */
function unawaited(request: MediaRequest): MediaRequest {
  return { ...request, headers: { ...request.headers, 'x-dashscope-async': 'enable' } }
}

function outputIn(exchange: Exchange): JsonObject {
  const answer = jsonOf(exchange, readDashscopeFailure)
  const code = stringAt(answer, 'code') ?? ''
  if (answer.output === undefined && code !== '') throw new UpstreamRefusedError(judgeDashscopeFailure(answer))
  return objectAt(answer, 'output')
}

function progressOf(job: JsonObject, task: VideoTask, target: MediaTarget): VideoProgress {
  const output = objectAt(job, 'output')
  switch (output.task_status) {
    case 'PENDING':
      return waiting
    case 'SUCCEEDED': {
      const usage = usageOf(objectAt(job, 'usage'), task, target)
      return { kind: 'made', outputs: publicOutputs([output.video_url]), usage }
    }
    case 'FAILED':
      return failureOf(output)
    case 'CANCELED':
      return failedVideo('The task was canceled.')
    case 'UNKNOWN':
      return forgottenVideo
    default:
      return atWork
  }
}

/** With an input video, `duration` is that of both together. */
function usageOf(stated: JsonObject, task: VideoTask, target: MediaTarget) {
  const made = statedMs(stated.output_video_duration)
  const whole = task.inputVideo === null ? statedMs(stated.duration) : undefined
  const inputVideoMs = task.inputVideo === null ? undefined : statedMs(stated.input_video_duration)
  const resolution = statedResolution(stated.SR)
  return videoUsage(task, {
    outputVideoMs: made ?? whole ?? wanSeconds(task, target) * 1_000,
    ...(inputVideoMs === undefined ? {} : { inputVideoMs }),
    ...(resolution === undefined ? {} : { variant: { resolution } }),
  })
}

function failureOf(output: JsonObject): VideoProgress {
  const [code, message] = [stringAt(output, 'code') ?? '', stringAt(output, 'message')]
  if (/^(?:DataInspection|IPInfringement)/.test(code)) return refusedContent(message)
  // The operator's fault, so the message is not for clients.
  return failedVideo(/^(?:Arrearage|AccessDenied|InvalidApiKey|Throttling)/.test(code) ? undefined : message)
}
