import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { VideoProgress } from '#providers/codecs/video-codec.ts'
import { atWork, failedVideo, refusedContent } from '#providers/codecs/videos/video-outcome.ts'

/** An operation that has come to an end with videos: where each of them is. */
export interface FinishedOperation {
  readonly kind: 'samples'
  readonly addresses: readonly string[]
}

/** Google's long-running operation. One that is done without a video was refused, whatever else it says. */
export function readOperation(operation: JsonObject): FinishedOperation | VideoProgress {
  if (operation.done !== true) return atWork
  if (isJsonObject(operation.error)) return failedOperation(operation.error)
  const response = objectAt(operation, 'response')
  const result = isJsonObject(response.generateVideoResponse) ? response.generateVideoResponse : response
  const samples = [result.generatedSamples, result.generatedVideos].find(Array.isArray) ?? []
  const addresses = samples.filter(isJsonObject).flatMap((sample) => stringAt(objectAt(sample, 'video'), 'uri') ?? [])
  if (addresses.length > 0) return { kind: 'samples', addresses }
  const reasons = Array.isArray(result.raiMediaFilteredReasons) ? result.raiMediaFilteredReasons : []
  return refusedContent(reasons.find((reason) => typeof reason === 'string'))
}

// Of Google's codes, those that speak about the order; what else goes wrong is between Google and us.
const codesOfCaller: ReadonlySet<unknown> = new Set([3, 9, 11])

function failedOperation(error: JsonObject): VideoProgress {
  const failed = failedVideo(stringAt(error, 'message'))
  return failed.isModerated === true || codesOfCaller.has(error.code) ? failed : failedVideo(undefined)
}
