import { videoUsage } from '#domain/video/video-usage.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { type Exchange, send } from '#providers/codecs/exchange-script.ts'
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
import { appPath, requestPath } from './app-path.ts'
import { falTasks, falTasksFor, falVideoOrder } from './video-order.ts'

/** fal's queue. A request is polled below the app's own name, whatever URLs the response contains. */
export const falVideos: VideoCodec = {
  tasks: falTasks,
  tasksFor: falTasksFor,
  *submit(task, target) {
    const { app, body } = falVideoOrder(task, target)
    const answer = jsonOf(yield* send(jsonRequest(target, appPath(app), body)), readFailure)
    return { path: requestPath(app, givenId(answer, 'request_id')) }
  },
  *poll(reference, target, task) {
    const path = storedText(reference, 'path')
    const job = jobIn(yield* send(getRequest(target, `${path}/status`)), readFailure)
    if (job === null) return forgottenVideo
    switch (job.status) {
      case 'IN_QUEUE':
        return waiting
      case 'COMPLETED':
        return resultOf(yield* send(getRequest(target, path)), task)
      default:
        return atWork
    }
  },
}

/** A request that is reported as done may still be running, or may have failed, which only its result shows. */
function resultOf(exchange: Exchange, task: VideoTask): VideoProgress {
  const { status, body } = exchange
  const answer = parseJsonObject(body.toString('utf8'))
  if (status < 400) {
    return { kind: 'made', outputs: outputsIn(jsonOf(exchange, readFailure)), usage: videoUsage(task) }
  }
  const isOurs = status === 401 || status === 402 || status === 403 || status === 429
  // A response in another format, or about our account, says nothing about the video.
  if (isOurs || answer?.detail === undefined) {
    jsonOf(exchange, readFailure)
    return atWork
  }
  return status === 400 && /still in progress/i.test(wordsIn(answer) ?? '') ? atWork : failureOf(answer)
}

function outputsIn({ video, videos }: JsonObject) {
  const made = Array.isArray(videos) ? videos : [video]
  return publicOutputs(made.map((each) => (isJsonObject(each) ? each.url : each)))
}

function failureOf(answer: JsonObject): VideoProgress {
  const kinds = itemsIn(answer).map((item) => stringAt(item, 'type') ?? '')
  const words = wordsIn(answer)
  return kinds.some((kind) => /content_policy/.test(kind)) ? refusedContent(words) : failedVideo(words)
}

/** A sentence, or an array of errors by field. */
function wordsIn(answer: JsonObject): string | undefined {
  return stringAt(answer, 'detail') ?? itemsIn(answer).flatMap((item) => stringAt(item, 'msg') ?? [])[0]
}

function itemsIn({ detail }: JsonObject): JsonObject[] {
  return Array.isArray(detail) ? detail.filter(isJsonObject) : []
}
