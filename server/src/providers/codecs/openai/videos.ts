import { nearestSize, writeSize } from '#domain/media/fit-image-size.ts'
import type { ImageSize } from '#domain/media/media-task.ts'
import { parseImageSize } from '#domain/media/parse-image-size.ts'
import { videoDetailsOf } from '#domain/video/video-details.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { overriddenSizes } from '../images/known-forms.ts'
import { fetchImage, type MediaRequest, send, type Step, type StepOutcome } from '../exchange-script.ts'
import { type FormPart, formRequest, getRequest, jsonOf, jsonRequest } from '../media-request.ts'
import { fixedParameters, type MediaTarget } from '../target.ts'
import type { VideoCodec } from '../video-codec.ts'
import { frameSizeOf, resolutionNameOf } from '../videos/frame-size.ts'
import { givenId, storedText } from '../videos/given-id.ts'
import { hostDuration } from '../videos/host-duration.ts'
import { requestForOutput } from '../videos/outputs.ts'
import { passedOn } from '../videos/passed-on.ts'
import { refuseOtherTasks } from '../videos/refuse-task.ts'
import { atWork, failedVideo, forgottenVideo, jobIn, refusedContent, waiting } from '../videos/video-outcome.ts'

const tasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video']

/** OpenAI's `/videos`. A video is fetched with the key, and its object states its length. */
export const openAiVideos: VideoCodec = {
  tasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'This provider', tasks)
    const request = yield* orderRequest(task, target)
    return { id: givenId(jsonOf(yield* send(request), readFailure), 'id') }
  },
  *poll(reference, target, task) {
    const path = `/videos/${encodeURIComponent(storedText(reference, 'id'))}`
    const video = jobIn(yield* send(getRequest(target, path)), readFailure)
    if (video === null) return forgottenVideo
    switch (video.status) {
      case 'queued':
        return waiting
      case 'completed':
        return {
          kind: 'made',
          outputs: [{ kind: 'path', path: `${path}/content` }],
          usage: usageOf(video, task, target),
        }
      case 'failed':
        return failureOf(objectAt(video, 'error'))
      default:
        return atWork
    }
  },
  download: requestForOutput,
}

/** A form if there is an image, which every compatible upstream accepts; otherwise JSON. */
function* orderRequest(task: VideoTask, target: MediaTarget): Generator<Step, MediaRequest, StepOutcome> {
  const size = sizeFor(task, target)
  const fields: JsonObject = {
    ...passedOn(task, target),
    model: target.upstreamModel,
    prompt: task.prompt,
    seconds: String(secondsFor(task, target)),
    ...(size === null ? {} : { size: writeSize(size) }),
    ...fixedParameters(target),
  }
  if (task.firstFrame === null) return jsonRequest(target, '/videos', fields)
  const file = yield* fetchImage(task.firstFrame)
  const parts = Object.entries(fields).map(([name, value]): FormPart => ({ name, value: textOf(value) }))
  const filename = `frame.${file.mediaType.split('/')[1] ?? 'png'}`
  return formRequest(target, '/videos', [...parts, { name: 'input_reference', file, filename }])
}

function textOf(value: JsonObject[string]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function secondsFor(task: VideoTask, target: MediaTarget): number {
  const { durations } = videoDetailsOf(target.details)
  return hostDuration(task, 'This provider', durations.length > 0 ? durations : [4, 8, 12], target)
}

function sizeFor(task: VideoTask, target: MediaTarget): ImageSize | null {
  const { sizes } = videoDetailsOf(target.details)
  const known = overriddenSizes(target) ?? (sizes.length > 0 ? sizes : usualSizes).flatMap(pixelsIn)
  return nearestSize({ size: frameSizeOf(task), aspectRatio: null }, known)
}

const usualSizes = ['1280x720', '720x1280', '1792x1024', '1024x1792']

function pixelsIn(text: string): ImageSize[] {
  const stated = parseImageSize(text)
  return stated.kind === 'pixels' ? [stated.size] : []
}

/** The values of the finished video take precedence over the requested ones. */
function usageOf(video: JsonObject, task: VideoTask, target: MediaTarget) {
  const stated = Number(video.seconds)
  const seconds = Number.isInteger(stated) && stated > 0 ? stated : secondsFor(task, target)
  const [size] = pixelsIn(stringAt(video, 'size') ?? '')
  return videoUsage(task, {
    outputVideoMs: seconds * 1_000,
    ...(size === undefined ? {} : { variant: { resolution: resolutionNameOf(size) } }),
  })
}

function failureOf(error: JsonObject) {
  const message = stringAt(error, 'message')
  return /moderation|content_policy|sentinel|safety/.test(stringAt(error, 'code') ?? '')
    ? refusedContent(message)
    : failedVideo(message)
}
