import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { VideoProgress } from '#providers/codecs/video-codec.ts'
import { atWork, failedVideo, refusedContent } from '#providers/codecs/videos/video-outcome.ts'

/** An operation that ended with videos: their URLs, or their bytes in base64. */
interface FinishedOperation {
  readonly kind: 'samples'
  readonly videos: readonly string[]
}

/** Google's long-running operation. If it is done without a video, it was rejected, whatever else the response says. */
export function readOperation(
  operation: JsonObject,
  videoIn: (sample: JsonObject) => string | undefined,
): FinishedOperation | VideoProgress {
  if (operation.done !== true) return atWork
  if (isJsonObject(operation.error)) return failedOperation(operation.error)
  const response = objectAt(operation, 'response')
  const result = isJsonObject(response.generateVideoResponse) ? response.generateVideoResponse : response
  const samples = [result.generatedSamples, result.generatedVideos, result.videos].find(Array.isArray) ?? []
  const videos = samples.filter(isJsonObject).flatMap((sample) => videoIn(sample) ?? [])
  if (videos.length > 0) return { kind: 'samples', videos }
  const reasons = Array.isArray(result.raiMediaFilteredReasons) ? result.raiMediaFilteredReasons : []
  return refusedContent(reasons.find((reason) => typeof reason === 'string'))
}

// Google's codes that concern the request. All other failures concern the operator's account or Google itself.
const clientErrorCodes: ReadonlySet<unknown> = new Set([3, 9, 11])

function failedOperation(error: JsonObject): VideoProgress {
  const failed = failedVideo(stringAt(error, 'message'))
  return failed.isModerated === true || clientErrorCodes.has(error.code) ? failed : failedVideo(undefined)
}
