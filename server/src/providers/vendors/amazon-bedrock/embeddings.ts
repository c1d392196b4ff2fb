import type { Usage } from '#domain/inference/usage.ts'
import type { Vector } from '#domain/media/float-vectors.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { cohereFields, cohereInputsMax } from '#providers/codecs/embedding/cohere-fields.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { type BatchLimits, inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { embeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { partsOf, refuseOtherEncodings } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { bareModel } from '#providers/protocols/bedrock/bare-model.ts'
import { readFailure } from '#providers/protocols/bedrock/read-failure.ts'
import { invokeRequest, tokensRead } from './invoke.ts'

type Members = { [field: string]: MediaJson }

/** The request format of a maker's models. */
interface Family {
  readonly name: RegExp
  /** The client's other fields that the family accepts. */
  readonly extras: readonly string[]
  limits(task: EmbeddingTask, model: string): BatchLimits
  write(batch: readonly EmbeddingInput[], task: EmbeddingTask, model: string): ExchangeScript<Members>
  vectorsIn(answer: JsonObject): Vector[]
}

export const bedrockEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }, target) => unknownOf(extras, familyOf(target).extras),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    const family = familyOf(target)
    const model = nameOf(target)
    return yield* inBatches(task, family.limits(task, model), function* (batch) {
      const exchange = yield* send(invokeRequest(target, yield* family.write(batch, task, model)))
      const answer = jsonOf(exchange, failure)
      return { vectors: family.vectorsIn(answer), usage: usageOf(tokensRead(answer, exchange), batch) }
    })
  },
}

const failure = embeddingFailure(readFailure)

/** A text. The model that reads images takes a text, an image, or both for one vector. */
const titan: Family = {
  name: /titan-embed/,
  extras: ['normalize'],
  limits: (_, model) => ({ inputsMax: 1, ...(readsImages(model) ? { images: true } : {}) }),
  *write([input], { dimensions, extras }, model) {
    const inputText = textOf(input)
    const image = yield* imageOf(input)
    return {
      ...(inputText === '' ? {} : { inputText }),
      ...(image === undefined ? {} : { inputImage: image.base64 }),
      ...(dimensions === null ? {} : lengthField(dimensions, model)),
      ...(isSecond(model) && extras.normalize !== undefined ? { normalize: extras.normalize } : {}),
    }
  },
  vectorsIn: ({ embedding }) => [readVector(embedding)],
}

function lengthField(length: number, model: string): Members {
  if (readsImages(model)) return { embeddingConfig: { outputEmbeddingLength: length } }
  if (isSecond(model)) return { dimensions: length }
  throw unsupported('`dimensions`: this model has a fixed vector length. Remove the field.')
}

function readsImages(model: string): boolean {
  return model.includes('titan-embed-image')
}

function isSecond(model: string): boolean {
  return /titan-embed-text-v[2-9]/.test(model)
}

/** A text or an image. */
const nova: Family = {
  name: /nova-[\w-]*embeddings/,
  extras: ['input_type', 'task_type', 'task', 'truncate'],
  limits: () => ({ inputsMax: 1, images: true }),
  *write([input], task) {
    const value = textOf(input)
    const image = yield* imageOf(input)
    if (image !== undefined && value !== '')
      throw unsupported('`input`: this model accepts text or an image, not both.')
    const purpose = retrievalRole(task, { document: 'GENERIC_INDEX', query: 'GENERIC_RETRIEVAL' }) ?? 'GENERIC_INDEX'
    const shown: Members =
      image === undefined
        ? { text: { truncationMode: task.extras.truncate ?? 'NONE', value } }
        : {
            image: {
              format: image.mediaType.replace('image/', ''),
              source: { bytes: image.base64 },
              detailLevel: 'STANDARD_IMAGE',
            },
          }
    return {
      schemaVersion: 'nova-multimodal-embed-v1',
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: purpose,
        ...(task.dimensions === null ? {} : { embeddingDimension: task.dimensions }),
        ...shown,
      },
    }
  },
  vectorsIn: ({ embeddings }) =>
    (Array.isArray(embeddings) ? embeddings : []).filter(isJsonObject).map(({ embedding }) => readVector(embedding)),
}

const cohere: Family = {
  name: /cohere[./]embed/,
  extras: ['input_type', 'task_type', 'task', 'truncate'],
  limits: (task, model) => ({ inputsMax: cohereInputsMax(task, habitsOf(model)), images: true }),
  write: (batch, task, model) => cohereFields(task, batch, habitsOf(model)),
  vectorsIn: (answer) => {
    const { float } = objectAt(answer, 'embeddings')
    return (Array.isArray(float) ? float : []).map(readVector)
  },
}

function habitsOf(upstreamModel: string) {
  return { upstreamModel, imageUrl: (uri: MediaJson) => uri }
}

const families: readonly Family[] = [titan, nova, cohere]

function familyOf(target: MediaTarget): Family {
  const family = families.find(({ name }) => name.test(nameOf(target)))
  if (family !== undefined) return family
  throw new GatewayError('modelEndpointMismatch', {
    message: 'This provider does not support embeddings with this model.',
  })
}

function nameOf({ upstreamModel, model }: MediaTarget): string {
  return bareModel(upstreamModel, model) ?? ''
}

function textOf(input: EmbeddingInput | undefined): string {
  const parts = input === undefined ? [] : partsOf(input)
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
}

function* imageOf(input: EmbeddingInput | undefined) {
  const [first, ...others] = (input === undefined ? [] : partsOf(input)).filter((part) => part.kind === 'image')
  if (others.length > 0) throw unsupported('`input`: this model accepts one image per vector.')
  return first === undefined ? undefined : yield* imageData(first.image)
}

function usageOf(tokens: number | undefined, batch: readonly EmbeddingInput[]): Usage | null {
  const inputImages = batch.flatMap(partsOf).filter(({ kind }) => kind === 'image').length
  return tokens === undefined ? null : inputUsage(tokens, { inputImages })
}

function unsupported(message: string): GatewayError {
  return new GatewayError('unsupportedParam', { message })
}
