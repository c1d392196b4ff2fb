import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { assert } from '#lib/assert.ts'
import { objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { type Batch, inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { readEmbeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { partsOf, refuseOtherEncodings } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { openAiEmbeddings, readTokenUsage } from '#providers/codecs/openai/embeddings.ts'
import { writePart } from '#providers/codecs/openai/write-items.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** Ark accepts texts like OpenAI. Its models for text and images create one vector per request, at their own path. */
export const arkEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  converse: (task, target) =>
    target.upstreamModel.includes('vision')
      ? inBatches(task, { inputsMax: 1, images: true }, ([input]) => askForOne(task, target, input))
      : texts.converse(task, target),
}

const texts = openAiEmbeddings({ inputsMax: 256 })

function* askForOne(
  { dimensions, encoding }: EmbeddingTask,
  target: MediaTarget,
  input: EmbeddingInput | undefined,
): ExchangeScript<Batch> {
  assert(input !== undefined, 'a batch has an input')
  refuseOtherEncodings(encoding)
  const content: MediaJson[] = []
  for (const part of partsOf(input)) content.push(yield* writePart(part))
  const body = {
    model: target.upstreamModel,
    input: content,
    ...(dimensions === null ? {} : { dimensions }),
    ...(encoding === null ? {} : { encoding_format: encoding }),
  }
  const answer = jsonOf(yield* send(jsonRequest(target, '/embeddings/multimodal', body)), readEmbeddingFailure)
  return { vectors: [readVector(objectAt(answer, 'data').embedding)], usage: readTokenUsage(answer) }
}
