import { videoDetailsOf } from '#domain/video/video-details.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { refuseOtherSeconds } from '#providers/codecs/videos/host-duration.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { firstFrameOf, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { submitRequest } from './submit-request.ts'
import { tasksOf, type VideoTraits, videoTraitsOf } from './video-traits.ts'

/**
 * Predictions, whose links are valid for an hour. They are charged by our price list, because clients were not shown
 * prices for hardware seconds.
 */
export const replicateVideos: VideoCodec = {
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video', 'video_edit'],
  tasksFor: (upstreamModel) => tasksOf(videoTraitsOf(upstreamModel)),
  *submit(task, target) {
    const traits = videoTraitsOf(target.upstreamModel)
    refuseOtherTasks(task, 'Replicate', tasksOf(traits))
    const answer = jsonOf(yield* send(submitRequest(inputFor(task, target, traits), target)), readFailure)
    return { id: givenId(answer, 'id') }
  },
  *poll(reference, target, task) {
    const path = `/predictions/${encodeURIComponent(storedText(reference, 'id'))}`
    const prediction = jobIn(yield* send(getRequest(target, path)), readFailure)
    return prediction === null ? forgottenVideo : progressOf(prediction, task)
  },
}

function inputFor(task: VideoTask, target: MediaTarget, traits: VideoTraits): JsonObject {
  const isFree = task.task === 'text_to_video' || task.task === 'reference_to_video'
  const { hasAudio } = videoDetailsOf(target.details)
  refuseOtherSeconds(task, 'Replicate', target)
  return {
    ...passedOn(task, target),
    prompt: task.prompt,
    ...inputsOf(task, traits),
    ...(task.task === 'video_edit' ? {} : { [traits.seconds]: task.durationS }),
    ...(traits.takesResolution && task.resolution !== null ? { resolution: task.resolution.toLowerCase() } : {}),
    ...(isFree ? { aspect_ratio: ratioOf(task, ratios, target) } : {}),
    ...(traits.audio !== null && hasAudio ? { [traits.audio]: task.audio } : {}),
    ...(task.seed === null ? {} : { seed: task.seed }),
    ...fixedParameters(target),
  }
}

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21']

function inputsOf(task: VideoTask, { first, last, references, video }: VideoTraits): JsonObject {
  switch (task.task) {
    case 'image_to_video':
      return named(first, firstFrameOf(task, 'Replicate'))
    case 'keyframes':
      return { ...named(first, firstFrameOf(task, 'Replicate')), ...named(last, task.lastFrame) }
    case 'reference_to_video':
      return named(references, [...task.references])
    case 'video_edit':
      return named(video, task.inputVideo?.url)
    default:
      return {}
  }
}

function named(field: string | null, value: JsonObject[string]): JsonObject {
  return field === null ? {} : { [field]: value }
}

function progressOf(prediction: JsonObject, task: VideoTask): VideoProgress {
  const { status, output } = prediction
  switch (status) {
    case 'starting':
      return waiting
    case 'succeeded':
      return { kind: 'made', outputs: publicOutputs([output].flat()), usage: videoUsage(task) }
    case 'failed':
    case 'canceled':
    case 'aborted': {
      const words = stringAt(prediction, 'error') ?? `The prediction was ${status}.`
      return unsafeWords.test(words) ? refusedContent(words) : failedVideo(words)
    }
    default:
      return atWork
  }
}

// Failures have a text that may end with a code; E005 is the code of sensitive content.
const unsafeWords = /flagged|\(E005\)/i
