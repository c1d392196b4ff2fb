import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { knownOf, unknownOf } from '#providers/codecs/embedding/extras.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { liftVectors } from '#providers/codecs/embedding/lift-vectors.ts'
import { readEmbeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readListedVectors } from '#providers/codecs/embedding/read-vectors.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { partsOf, textsOf } from '#providers/codecs/embedding/texts-of.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readTokenUsage } from '#providers/codecs/openai/embeddings.ts'

/** OpenAI's format with Jina's own names. Each input is either a text or an image. */
export const jinaEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', 'task', ...vendorFields]),
  *converse(task, target) {
    refuseManyParts(task.inputs)
    return yield* inBatches(task, { inputsMax, images: true }, function* (batch) {
      const body = { model: target.upstreamModel, input: yield* writeInputs(batch), ...settingsOf(task) }
      const exchange = yield* send(jsonRequest(target, '/embeddings', body))
      const { answer, lifted } = liftVectors(exchange, readEmbeddingFailure)
      return { vectors: readListedVectors(answer, lifted), usage: readTokenUsage(answer) }
    })
  },
}

const inputsMax = 2_048

function* writeInputs(inputs: readonly EmbeddingInput[]): ExchangeScript<MediaJson> {
  if (inputs.every(({ kind }) => kind !== 'parts')) return textsOf(inputs)
  const written: MediaJson[] = []
  for (const part of inputs.flatMap(partsOf)) {
    if (part.kind === 'text') written.push({ text: part.text })
    else if (part.image.kind === 'url') written.push({ image: part.image.url })
    else written.push({ image: (yield* imageData(part.image)).base64 })
  }
  return written
}

function refuseManyParts(inputs: readonly EmbeddingInput[]): void {
  if (inputs.every((input) => input.kind !== 'parts' || input.parts.length === 1)) return
  throw new GatewayError('unsupportedParam', {
    message: '`input`: the providers of this model accept one text or one image per item, not several parts.',
  })
}

const vendorFields = ['late_chunking', 'truncate', 'normalized'] as const

function settingsOf(task: EmbeddingTask): JsonObject {
  const { dimensions, encoding, extras } = task
  const role = retrievalRole(task, { document: 'retrieval.passage', query: 'retrieval.query' })
  return {
    ...(role === undefined ? {} : { task: role }),
    ...(dimensions === null ? {} : { dimensions }),
    ...(encoding === null ? {} : { embedding_type: encoding }),
    ...knownOf(extras, vendorFields),
  }
}
