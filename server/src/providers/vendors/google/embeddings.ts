import type { Usage } from '#domain/inference/usage.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type Conversation, send } from '#providers/codecs/conversation.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { embeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { partsOf, refuseOtherEncodings } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'

/** Gemini's batches: one content for each vector. Models that do not count by themselves are asked to, which costs nothing. */
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
      const images = batch.flatMap(partsOf).filter(({ kind }) => kind === 'image').length
      const counted = readUsage(objectAt(answer, 'usageMetadata'), 'promptTokenCount', images)
      return { vectors, usage: counted ?? (yield* count(contents, target, images)) }
    })
  },
}

const inputsMax = 100

const failure = embeddingFailure(readFailure)

function place({ upstreamModel }: MediaTarget, action: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${action}`
}

function settingsOf(task: EmbeddingTask, { upstreamModel }: MediaTarget): { [field: string]: MediaJson } {
  const role = retrievalRole(task, { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' })
  return {
    model: `models/${upstreamModel}`,
    ...(role === undefined ? {} : { taskType: role }),
    ...(task.dimensions === null ? {} : { outputDimensionality: task.dimensions }),
  }
}

function* writeParts(input: EmbeddingInput): Conversation<MediaJson[]> {
  const parts: MediaJson[] = []
  for (const part of partsOf(input)) {
    if (part.kind === 'text') parts.push({ text: part.text })
    else {
      const { mediaType, base64 } = yield* imageData(part.image)
      parts.push({ inlineData: { mimeType: mediaType, data: base64 } })
    }
  }
  return parts
}

/** Its own count of the same contents; null where it will not give one. */
function* count(contents: readonly MediaJson[], target: MediaTarget, images: number): Conversation<Usage | null> {
  const exchange = yield* send(jsonRequest(target, place(target, 'countTokens'), { contents: [...contents] }))
  if (exchange.status !== 200) return null
  return readUsage(jsonOf(exchange, failure), 'totalTokens', images)
}

/** Images are charged by the piece where the catalogue has that price, else by their tokens; only where both are told apart. */
function readUsage(counts: JsonObject, field: 'promptTokenCount' | 'totalTokens', images: number): Usage | null {
  const total = countAt(counts, field)
  if (total === undefined) return null
  const details = counts.promptTokensDetails ?? counts.promptTokenDetails
  const ofText = (Array.isArray(details) ? details : []).filter(isJsonObject).find(isOfText)
  if (images === 0 || ofText === undefined) return inputUsage(total)
  const text = Math.min(countAt(ofText, 'tokenCount') ?? 0, total)
  return inputUsage(text, { inputImages: images, inputImageTokens: total - text })
}

function isOfText({ modality }: JsonObject): boolean {
  return modality === 'TEXT'
}
