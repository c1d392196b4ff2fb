import type { Usage } from '#domain/inference/usage.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask } from '#domain/media/media-task.ts'
import { isJsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { refuseOtherEncodings } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { failure, imagesIn, place, readUsage, taskTypeOf, writeParts } from './contents.ts'

/**
 * Gemini's batches: one content per vector. Models that do not report tokens are asked to count them, which costs
 * nothing.
 */
export const geminiEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', 'task_type']),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    return yield* inBatches(task, { inputsMax, images: true }, function* (batch) {
      const contents: MediaJson[] = []
      for (const input of batch) contents.push({ parts: yield* writeParts(input) })
      const settings = settingsOf(task, target)
      const requests = contents.map((content) => ({ ...settings, content }))
      const answer = jsonOf(
        yield* send(jsonRequest(target, place(target, 'batchEmbedContents'), { requests })),
        failure,
      )
      const { embeddings } = answer
      const vectors = (Array.isArray(embeddings) ? embeddings : []).map((each) =>
        readVector(isJsonObject(each) ? each.values : undefined),
      )
      const images = imagesIn(batch)
      const counted = readUsage(objectAt(answer, 'usageMetadata'), 'promptTokenCount', images)
      return { vectors, usage: counted ?? (yield* count(contents, target, images)) }
    })
  },
}

const inputsMax = 100

function settingsOf(task: EmbeddingTask, { upstreamModel }: MediaTarget): { [field: string]: MediaJson } {
  const taskType = taskTypeOf(task)
  return {
    model: `models/${upstreamModel}`,
    ...(taskType === undefined ? {} : { taskType }),
    ...(task.dimensions === null ? {} : { outputDimensionality: task.dimensions }),
  }
}

/** Google's own count of the same contents, or null if Google does not return one. */
function* count(contents: readonly MediaJson[], target: MediaTarget, images: number): ExchangeScript<Usage | null> {
  const exchange = yield* send(jsonRequest(target, place(target, 'countTokens'), { contents: [...contents] }))
  if (exchange.status !== 200) return null
  return readUsage(jsonOf(exchange, failure), 'totalTokens', images)
}
