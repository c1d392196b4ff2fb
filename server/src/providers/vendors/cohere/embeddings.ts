import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type Conversation, send } from '#providers/codecs/conversation.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { readEmbeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { partsOf, refuseOtherEncodings, textsOf } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** Cohere's own `/v2/embed`, which its OpenAI-compatible surface stands beside. It must be told what texts are for. */
export const cohereEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', 'truncate']),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    const native = { ...target, baseUrl: nativeUrl(target.baseUrl) }
    const isOneByOne = hasImages(task.inputs) && isOlder(target)
    return yield* inBatches(task, { inputsMax: isOneByOne ? 1 : inputsMax, images: true }, function* (batch) {
      const body: { [field: string]: MediaJson } = {
        model: target.upstreamModel,
        input_type: roleOf(task),
        embedding_types: ['float'],
        ...(task.dimensions === null ? {} : { output_dimension: task.dimensions }),
        ...(task.extras.truncate === undefined ? {} : { truncate: task.extras.truncate }),
        ...(yield* writeInputs(batch, target)),
      }
      const answer = jsonOf(yield* send(jsonRequest(native, '/v2/embed', body)), readEmbeddingFailure)
      const { float } = objectAt(answer, 'embeddings')
      const vectors = (Array.isArray(float) ? float : []).map(readVector)
      return { vectors, usage: readUsage(answer) }
    })
  },
}

const inputsMax = 96

/** The operator gives the address of the compatible surface, or that of the API itself. */
function nativeUrl(baseUrl: string): string {
  return baseUrl.replace(/\/compatibility\/v1\/?$/, '').replace('//api.cohere.ai', '//api.cohere.com')
}

function roleOf(task: EmbeddingTask): string {
  return retrievalRole(task, { document: 'search_document', query: 'search_query' }) ?? 'search_document'
}

function hasImages(inputs: readonly EmbeddingInput[]): boolean {
  return inputs.some(({ kind }) => kind === 'parts')
}

/** Models before the fourth take an image alone, and in a field of its own. */
function isOlder({ upstreamModel }: MediaTarget): boolean {
  return /-v[23]\b/.test(upstreamModel)
}

function* writeInputs(
  inputs: readonly EmbeddingInput[],
  target: MediaTarget,
): Conversation<{ [field: string]: MediaJson }> {
  if (!hasImages(inputs)) return { texts: textsOf(inputs) }
  const [only, ...others] = inputs.flatMap(partsOf)
  if (isOlder(target) && others.length === 0 && only?.kind === 'image') {
    return { input_type: 'image', images: [(yield* imageData(only.image)).uri] }
  }
  const items: MediaJson[] = []
  for (const input of inputs) {
    const content: MediaJson[] = []
    for (const part of partsOf(input)) {
      content.push(
        part.kind === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image_url', image_url: { url: (yield* imageData(part.image)).uri } },
      )
    }
    items.push({ content })
  }
  return { inputs: items }
}

/** What is billed, which is less than what was read. */
function readUsage(answer: JsonObject): Usage | null {
  const billed = objectAt(objectAt(answer, 'meta'), 'billed_units')
  const tokens = countAt(billed, 'input_tokens')
  const images = countAt(billed, 'images')
  const imageTokens = countAt(billed, 'image_tokens')
  if (tokens === undefined && images === undefined && imageTokens === undefined) return null
  return inputUsage(tokens ?? 0, { inputImages: images ?? 0, inputImageTokens: imageTokens ?? 0 })
}
