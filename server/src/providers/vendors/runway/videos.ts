import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { type MediaRequest, send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { runwayTraitsOf } from './models.ts'
import { runwayOrder } from './order.ts'

/**
 * A task waits for one of our account's slots before it runs, which is not an error. Its links live for a day or two.
 */
export const runwayVideos: VideoCodec = {
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video', 'video_edit'],
  tasksFor: (upstreamModel) => runwayTraitsOf(upstreamModel).tasks,
  *submit(task, target) {
    const { path, body } = runwayOrder(task, target)
    const answer = jsonOf(yield* send(versioned(jsonRequest(target, path, body))), readFailure)
    return { id: givenId(answer, 'id') }
  },
  *poll(reference, target, task) {
    const path = `/v1/tasks/${encodeURIComponent(storedText(reference, 'id'))}`
    const job = jobIn(yield* send(versioned(getRequest(target, path))), readFailure)
    return job === null ? forgottenVideo : progressOf(job, task)
  },
}

function versioned(request: MediaRequest): MediaRequest {
  return { ...request, headers: { ...request.headers, 'x-runway-version': '2024-11-06' } }
}

function progressOf(job: JsonObject, task: VideoTask): VideoProgress {
  switch (job.status) {
    case 'PENDING':
    case 'THROTTLED':
      return waiting
    case 'SUCCEEDED': {
      const outputs = publicOutputs(Array.isArray(job.output) ? job.output : [])
      return { kind: 'made', outputs, usage: videoUsage(task) }
    }
    case 'FAILED': {
      const words = stringAt(job, 'failure')
      return /SAFETY|MODERATION/.test(stringAt(job, 'failureCode') ?? '') ? refusedContent(words) : failedVideo(words)
    }
    case 'CANCELLED':
      return failedVideo('The task was cancelled.')
    default:
      return atWork
  }
}
