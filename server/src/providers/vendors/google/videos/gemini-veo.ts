import type { VideoOutput } from '#domain/video/video-job.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { objectAt, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs, requestForOutput } from '#providers/codecs/videos/outputs.ts'
import { unsupported } from '#providers/codecs/videos/refuse-task.ts'
import { forgottenVideo, jobIn } from '#providers/codecs/videos/video-outcome.ts'
import { readOperation } from './read-operation.ts'
import { veoOrder, veoSeconds, veoTasks } from './veo-order.ts'

/** Veo on the Gemini API. Its videos are files there, which are fetched with the key and lead elsewhere from there. */
export const geminiVeo: VideoCodec = {
  tasks: veoTasks,
  *submit(task, target) {
    // The choice is Vertex's alone: here every video has sound and is billed with it.
    if (objectAt(target.details, 'video').generate_audio === true && !task.audio) {
      throw unsupported('Google makes no video of this model without sound on this API.')
    }
    const { instances, parameters } = yield* veoOrder(task, target)
    const path = `/models/${target.upstreamModel}:predictLongRunning`
    const request = jsonRequest(target, path, { instances, parameters })
    const name = givenId(jsonOf(yield* send(request), readFailure), 'name')
    if (!operationForm.test(name)) throw new UnusableAnswerError('Google named an operation in an unknown form.')
    return { operation: name }
  },
  *poll(reference, target, task) {
    const request = getRequest(target, `/${storedText(reference, 'operation')}`)
    const operation = jobIn(yield* send(request), readFailure)
    if (operation === null) return forgottenVideo
    const state = readOperation(operation, (sample) => stringAt(objectAt(sample, 'video'), 'uri'))
    if (state.kind !== 'samples') return state
    const outputs = state.videos.flatMap(outputOf)
    if (outputs.length === 0) throw new UnusableAnswerError('Google made videos and says of none where it is.')
    return {
      kind: 'made',
      outputs,
      usage: videoUsage(task, { outputVideoMs: veoSeconds(task, target) * 1_000 * outputs.length }),
    }
  },
  download: requestForOutput,
}

// It becomes part of a path, so it may not lead anywhere else.
const operationForm = /^(?:[\w-][\w.-]*\/)+[\w-][\w.-]*$/

/** Files are fetched from the address that we know, whatever host the answer names, so that the key goes nowhere else. */
function outputOf(address: string): VideoOutput[] {
  const url = URL.parse(address)
  const path = url === null ? undefined : filePath.exec(url.pathname)?.[0]
  return url === null || path === undefined
    ? publicOutputs([address])
    : [{ kind: 'path', path: path + withoutKey(url) }]
}

const filePath = /\/files\/[\w-]+(?::download)?$/

function withoutKey({ searchParams }: URL): string {
  searchParams.delete('key')
  return searchParams.size === 0 ? '?alt=media' : `?${searchParams}`
}
