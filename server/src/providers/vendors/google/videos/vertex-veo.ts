import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { unsupported } from '#providers/codecs/videos/refuse-task.ts'
import { forgottenVideo, jobIn } from '#providers/codecs/videos/video-outcome.ts'
import { readOperation } from './read-operation.ts'
import { veoOrder, veoSeconds, veoTasks } from './veo-order.ts'

/** Veo on Vertex. The videos are in the response that reports completion, so it is requested again to store them. */
export const vertexVeo: VideoCodec = {
  tasks: veoTasks,
  *submit(task, target) {
    if (task.resolution?.toLowerCase() === '4k') {
      throw unsupported('Vertex returns videos inline, and 4K videos are too large for that.')
    }
    const { instances, parameters } = yield* veoOrder(task, target)
    const isChoice = objectAt(target.details, 'video').generate_audio === true
    const body = { instances, parameters: isChoice ? { ...parameters, generateAudio: task.audio } : parameters }
    const operation = givenId(
      jsonOf(yield* send(jsonRequest(target, place(target, 'predictLongRunning'), body)), readFailure),
      'name',
    )
    return { operation }
  },
  *poll(reference, target, task) {
    const operation = yield* fetchOperation(reference, target)
    if (operation === null) return forgottenVideo
    const state = readOperation(operation, bytesOf)
    if (state.kind !== 'samples') return state
    const outputs = state.videos.map((_, index) => ({ kind: 'answer', index }) as const)
    return {
      kind: 'made',
      outputs,
      usage: videoUsage(task, { outputVideoMs: veoSeconds(task, target) * 1_000 * outputs.length }),
    }
  },
  *bring(index, reference, target) {
    const state = readOperation((yield* fetchOperation(reference, target)) ?? {}, bytesOf)
    const base64 = state.kind === 'samples' ? state.videos[index] : undefined
    if (base64 === undefined) throw new UnusableAnswerError('Vertex no longer has the generated video.')
    return Buffer.from(base64, 'base64')
  },
}

function* fetchOperation(reference: JsonObject, target: MediaTarget): ExchangeScript<JsonObject | null> {
  const body = { operationName: storedText(reference, 'operation') }
  return jobIn(yield* send(jsonRequest(target, place(target, 'fetchPredictOperation'), body)), readFailure)
}

function bytesOf(sample: JsonObject): string | undefined {
  return stringAt(sample, 'bytesBase64Encoded')
}

function place({ upstreamModel }: MediaTarget, action: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${action}`
}
