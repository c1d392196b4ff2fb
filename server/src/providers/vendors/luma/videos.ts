import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'
import {
  atWork,
  failedVideo,
  forgottenVideo,
  jobIn,
  refusedContent,
  waiting,
} from '#providers/codecs/videos/video-outcome.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { lumaAgents } from './agents.ts'
import { dreamMachine } from './dream-machine.ts'
import { type LumaApi, lumaTarget } from './luma-api.ts'

/** Luma has two APIs, and the model decides which is used. */
export const lumaVideos: VideoCodec = {
  tasks: lumaAgents.tasks,
  tasksFor: (upstreamModel) => apiFor({ upstreamModel }).tasks,
  *submit(task, target) {
    const api = apiFor(target)
    refuseOtherTasks(task, 'Luma', api.tasks)
    const { path, body } = api.orderOf(task, target)
    const answer = jsonOf(yield* send(jsonRequest(lumaTarget(target, api), path, body)), readFailure)
    return { id: givenId(answer, 'id') }
  },
  *poll(reference, target, task) {
    const api = apiFor(target)
    const path = `/generations/${encodeURIComponent(storedText(reference, 'id'))}`
    const generation = jobIn(yield* send(getRequest(lumaTarget(target, api), path)), readFailure)
    return generation === null ? forgottenVideo : progressOf(generation, api, { task, target })
  },
}

function apiFor({ upstreamModel }: Pick<MediaTarget, 'upstreamModel'>): LumaApi {
  return /^ray-(?:flash-)?[12](?:$|-)/.test(upstreamModel) ? dreamMachine : lumaAgents
}

function progressOf(
  generation: JsonObject,
  api: LumaApi,
  { task, target }: { task: VideoTask; target: MediaTarget },
): VideoProgress {
  switch (api.statusOf(generation)) {
    case 'queued':
      return waiting
    case 'completed': {
      const usage = videoUsage(task, { outputVideoMs: api.seconds(task, target) * 1_000 })
      return { kind: 'made', outputs: publicOutputs(api.linksOf(generation)), usage }
    }
    case 'failed':
      return failureOf(generation)
    default:
      return atWork
  }
}

function failureOf(generation: JsonObject): VideoProgress {
  const words = stringAt(generation, 'failure_reason')
  switch (generation.failure_code) {
    case 'content_moderated':
      return refusedContent(words)
    case 'budget_exhausted':
      // The operator's fault, so the message is not for clients.
      return failedVideo(undefined)
    default:
      return failedVideo(words)
  }
}
