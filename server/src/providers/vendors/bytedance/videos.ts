import type { VideoTask } from '#domain/video/video-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { contentItems } from '#providers/codecs/videos/content-items.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { readArkFailure } from './read-failure.ts'
import { seedanceTraitsOf } from './seedance-traits.ts'
import { seedanceUsage } from './seedance-usage.ts'

/** Seedance. Links to its videos live for a day. */
export const arkVideos: VideoCodec = {
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video', 'video_edit'],
  tasksFor: (upstreamModel) => seedanceTraitsOf(upstreamModel).tasks,
  *submit(task, target) {
    const request = jsonRequest(target, '/contents/generations/tasks', orderOf(task, target))
    return { id: givenId(jsonOf(yield* send(request), readArkFailure), 'id') }
  },
  *poll(reference, target, task) {
    const path = `/contents/generations/tasks/${encodeURIComponent(storedText(reference, 'id'))}`
    const job = jobIn(yield* send(getRequest(target, path)), readArkFailure)
    return job === null ? forgottenVideo : progressOf(job, task)
  },
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const traits = seedanceTraitsOf(target.upstreamModel)
  refuseOtherTasks(task, 'Ark', traits.tasks)
  refuseMoreReferences(task, 'Ark', traits.referencesMax)
  const isFree = task.task === 'text_to_video' || task.task === 'reference_to_video'
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    content: contentItems(task, 'Ark'),
    resolution: task.resolution?.toLowerCase(),
    duration: hostDuration(task, 'Ark', traits.seconds, target),
    // Inputs have their own ratio, which Seedance keeps by default.
    ...(isFree ? { ratio: ratioOf(task, ratios, target) } : {}),
    ...(task.seed === null ? {} : { seed: task.seed }),
    ...(traits.takesAudio ? { generate_audio: task.audio } : {}),
    watermark: task.watermark,
    ...fixedParameters(target),
  }
}

const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21']

function progressOf(job: JsonObject, task: VideoTask): VideoProgress {
  switch (job.status) {
    case 'queued':
      return waiting
    case 'succeeded': {
      const outputs = publicOutputs([objectAt(job, 'content').video_url])
      return { kind: 'made', outputs, usage: seedanceUsage(job, task) }
    }
    case 'failed':
      return failureOf(objectAt(job, 'error'))
    case 'cancelled':
    case 'expired':
      return failedVideo(stringAt(objectAt(job, 'error'), 'message') ?? `The task was ${job.status}.`)
    default:
      return atWork
  }
}

function failureOf(error: JsonObject): VideoProgress {
  const [code, message] = [stringAt(error, 'code') ?? '', stringAt(error, 'message')]
  if (/Sensitive|RiskDetection|Copyright|PolicyViolation/i.test(code)) return refusedContent(message)
  // The operator's fault, so the message is not for clients.
  return failedVideo(/AccountOverdue|Quota|Authentication/i.test(code) ? undefined : message)
}
