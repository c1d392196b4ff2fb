import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask } from '#domain/media/media-task.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { cohereFields, cohereInputsMax } from '#providers/codecs/embedding/cohere-fields.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { readEmbeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { refuseOtherEncodings } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { nativeUrl } from './native-url.ts'

/** Cohere's own `/v2/embed`, beside its OpenAI-compatible API. */
export const cohereEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', 'truncate']),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    const native = { ...target, baseUrl: nativeUrl(target.baseUrl) }
    const { upstreamModel: model } = target
    const habits = { upstreamModel: model, imageUrl: (url: MediaJson) => ({ url }) }
    return yield* inBatches(task, { inputsMax: cohereInputsMax(task, habits), images: true }, function* (batch) {
      const body = { model, ...(yield* cohereFields(task, batch, habits)) }
      const answer = jsonOf(yield* send(jsonRequest(native, '/v2/embed', body)), readEmbeddingFailure)
      const { float } = objectAt(answer, 'embeddings')
      const vectors = (Array.isArray(float) ? float : []).map(readVector)
      return { vectors, usage: readUsage(answer) }
    })
  },
}

/** The billed tokens, which are fewer than those read. */
function readUsage(answer: JsonObject): Usage | null {
  const billed = objectAt(objectAt(answer, 'meta'), 'billed_units')
  const tokens = countAt(billed, 'input_tokens')
  const images = countAt(billed, 'images')
  const imageTokens = countAt(billed, 'image_tokens')
  if (tokens === undefined && images === undefined && imageTokens === undefined) return null
  return inputUsage(tokens ?? 0, { inputImages: images ?? 0, inputImageTokens: imageTokens ?? 0 })
}
