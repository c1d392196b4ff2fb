import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { knownOf, unknownOf } from '#providers/codecs/embedding/extras.ts'
import { inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { liftVectors } from '#providers/codecs/embedding/lift-vectors.ts'
import { readEmbeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readListedVectors } from '#providers/codecs/embedding/read-vectors.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { type Reads, refuseOtherEncodings, textsOf } from '#providers/codecs/embedding/texts-of.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { type InputFields, readTokenUsage } from '#providers/codecs/openai/embeddings.ts'
import { writeContents } from './write-contents.ts'

/** One path for texts, one for texts and images together, and one for texts of the same document. */
export const voyageEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', ...vendorFields]),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    const surface = surfaceOf(target.upstreamModel)
    return yield* inBatches(task, { inputsMax, ...surface.reads }, function* (batch) {
      const body = {
        model: target.upstreamModel,
        ...(surface.fieldsOf?.(textsOf(batch)) ?? { inputs: yield* writeContents(batch) }),
        ...settingsOf(task),
      }
      const exchange = yield* send(jsonRequest(target, surface.path, body))
      const { answer, lifted } = liftVectors(exchange, readEmbeddingFailure)
      return { vectors: readListedVectors(surface.listOf(answer), lifted), usage: readTokenUsage(answer) }
    })
  },
}

const inputsMax = 1_000

interface Surface {
  readonly path: string
  readonly reads: Reads
  /** Texts as fields of the body. Left out if inputs may contain images. */
  fieldsOf?(texts: readonly string[]): InputFields
  /** The response converted to a plain list. */
  listOf(answer: JsonObject): JsonObject
}

const plain: Surface = {
  path: '/embeddings',
  reads: {},
  fieldsOf: (texts) => ({ input: [...texts] }),
  listOf: (answer) => answer,
}

const multimodal: Surface = {
  path: '/multimodalembeddings',
  reads: { images: true },
  listOf: (answer) => answer,
}

/** Each text is a separate document with one chunk. */
const contextualized: Surface = {
  path: '/contextualizedembeddings',
  reads: {},
  fieldsOf: (texts) => ({ inputs: texts.map((text) => [text]) }),
  listOf: ({ data }) => ({ data: (Array.isArray(data) ? data : []).map(chunkOf) }),
}

function chunkOf(document: unknown): JsonObject {
  const { data, index } = isJsonObject(document) ? document : {}
  const [chunk] = Array.isArray(data) ? data : []
  return isJsonObject(chunk) ? { ...chunk, index } : {}
}

function surfaceOf(model: string): Surface {
  if (model.includes('multimodal')) return multimodal
  return model.includes('context') ? contextualized : plain
}

const vendorFields = ['truncation', 'output_dtype'] as const

function settingsOf(task: EmbeddingTask): JsonObject {
  const { dimensions, encoding, extras } = task
  const role = retrievalRole(task, { document: 'document', query: 'query' })
  return {
    ...(role === undefined ? {} : { input_type: role }),
    ...(dimensions === null ? {} : { output_dimension: dimensions }),
    // Voyage sends numbers by default and has no parameter value for them.
    ...(encoding === 'base64' ? { encoding_format: 'base64' } : {}),
    ...knownOf(extras, vendorFields),
  }
}
