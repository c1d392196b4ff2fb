import { writeSize } from '#domain/media/fit-image-size.ts'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { refuseOtherSeconds } from '#providers/codecs/videos/host-duration.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { outputAt, requestForOutput } from '#providers/codecs/videos/outputs.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import { refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import { atWork, failedVideo, forgottenVideo, jobIn, waiting } from '#providers/codecs/videos/video-outcome.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'

const tasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video']

/** OpenRouter's own version of `/videos`: fields of many vendors in one format, and links to the results. */
export const openRouterVideos: VideoCodec = {
  tasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'OpenRouter', tasks)
    const answer = jsonOf(yield* send(jsonRequest(target, '/videos', orderOf(task, target))), readFailure)
    return { id: givenId(answer, 'id') }
  },
  *poll(reference, target, task) {
    const path = `/videos/${encodeURIComponent(storedText(reference, 'id'))}`
    const job = jobIn(yield* send(getRequest(target, path)), readFailure)
    if (job === null) return forgottenVideo
    switch (job.status) {
      case 'pending':
        return waiting
      case 'completed':
        return { kind: 'made', outputs: outputsOf(job, path, target), usage: videoUsage(task) }
      case 'failed':
      case 'cancelled':
      case 'expired':
        return failedVideo(stringAt(job, 'error') ?? stringAt(objectAt(job, 'error'), 'message'))
      default:
        return atWork
    }
  },
  download: requestForOutput,
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const { resolution, aspectRatio, size, seed } = task
  const frames = [...frameOf(task.firstFrame, 'first_frame'), ...frameOf(task.lastFrame, 'last_frame')]
  const references = task.references.map((url) => imageAt(url))
  refuseOtherSeconds(task, 'OpenRouter', target)
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    prompt: task.prompt,
    duration: task.durationS,
    // Resolution and size exclude each other.
    ...(size === null
      ? { resolution: resolution ?? undefined, aspect_ratio: aspectRatio ?? undefined }
      : { size: writeSize(size) }),
    // OpenRouter generates audio by default, so the choice is always sent to models that have one.
    ...(objectAt(target.details, 'video').generate_audio === undefined ? {} : { generate_audio: task.audio }),
    ...(seed === null ? {} : { seed }),
    ...(frames.length === 0 ? {} : { frame_images: frames }),
    ...(frames.length > 0 || references.length === 0 ? {} : { input_references: references }),
    ...fixedParameters(target),
  }
}

function imageAt(url: string): JsonObject {
  return { type: 'image_url', image_url: { url } }
}

function frameOf(url: string | null, frameType: string): JsonObject[] {
  return url === null ? [] : [{ ...imageAt(url), frame_type: frameType }]
}

function outputsOf(job: JsonObject, path: string, target: MediaTarget): VideoOutput[] {
  const links = job.unsigned_urls
  if (!Array.isArray(links)) return [{ kind: 'path', path: `${path}/content?index=0` }]
  return links.flatMap((link) => (typeof link === 'string' ? (outputAt(link, target) ?? []) : []))
}
