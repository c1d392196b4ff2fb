import type { Usage } from '#domain/inference/usage.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { unknownOf } from '#providers/codecs/embedding/extras.ts'
import { type Batch, inBatches } from '#providers/codecs/embedding/in-batches.ts'
import { readVector } from '#providers/codecs/embedding/read-vectors.ts'
import { refuseOtherEncodings, textsOf } from '#providers/codecs/embedding/texts-of.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { failure, imagesIn, place, readUsage, taskTypeOf, writeParts } from './contents.ts'

/**
 * Vertex creates embeddings by predictions of texts, and with the second generation of Gemini from one content at a
 * time.
 */
export const vertexEmbeddings: MediaCodec<EmbeddingTask, EmbeddingResult> = {
  ignored: ({ extras }) => unknownOf(extras, ['input_type', 'task_type']),
  *converse(task, target) {
    refuseOtherEncodings(task.encoding)
    return isOfContents(target)
      ? yield* inBatches(task, { inputsMax: 1, images: true }, ([input]) => embedContent(input, task, target))
      : yield* inBatches(task, { inputsMax: textsAtOnce(task.inputs, target) }, (batch) => predict(batch, task, target))
  },
}

/** Google's own SDK distinguishes the two APIs the same way. */
function isOfContents({ upstreamModel }: MediaTarget): boolean {
  const isFirst = upstreamModel === firstGemini
  return (upstreamModel.includes('gemini') && !isFirst) || upstreamModel.includes('maas')
}

const firstGemini = 'gemini-embedding-001'
const instancesMax = 250
/**
 * Maximum tokens of all instances together. The model truncates a longer text, and no character is more than one token.
 */
const tokensMax = 20_000
const textTokensMax = 2_048

/** As many texts as are certain to fit the token limit. The first Gemini model takes one. */
function textsAtOnce(inputs: readonly EmbeddingInput[], { upstreamModel }: MediaTarget): number {
  if (upstreamModel === firstGemini) return 1
  const longest = inputs.reduce((most, input) => Math.max(most, input.kind === 'text' ? input.text.length : 0), 1)
  return Math.min(instancesMax, Math.floor(tokensMax / Math.min(longest, textTokensMax)))
}

function* predict(batch: readonly EmbeddingInput[], task: EmbeddingTask, target: MediaTarget): ExchangeScript<Batch> {
  const taskType = taskTypeOf(task)
  const body = {
    instances: textsOf(batch).map((content) => ({
      content,
      ...(taskType === undefined ? {} : { task_type: taskType }),
    })),
    ...(task.dimensions === null ? {} : { parameters: { outputDimensionality: task.dimensions } }),
  }
  const { predictions } = jsonOf(yield* send(jsonRequest(target, place(target, 'predict'), body)), failure)
  const made = (Array.isArray(predictions) ? predictions : [])
    .filter(isJsonObject)
    .map((prediction) => objectAt(prediction, 'embeddings'))
  return { vectors: made.map(({ values }) => readVector(values)), usage: tokensOf(made) }
}

/** Every vector has its own count. */
function tokensOf(made: readonly JsonObject[]): Usage | null {
  const counts = made.map((embedding) => countAt(objectAt(embedding, 'statistics'), 'token_count'))
  const known = counts.filter((count) => count !== undefined)
  return known.length < counts.length ? null : inputUsage(known.reduce((sum, count) => sum + count, 0))
}

function* embedContent(
  input: EmbeddingInput | undefined,
  task: EmbeddingTask,
  target: MediaTarget,
): ExchangeScript<Batch> {
  const batch = input === undefined ? [] : [input]
  const taskType = taskTypeOf(task)
  const config = {
    ...(taskType === undefined ? {} : { taskType }),
    ...(task.dimensions === null ? {} : { outputDimensionality: task.dimensions }),
  }
  const body = {
    content: { role: 'user', parts: input === undefined ? [] : yield* writeParts(input) },
    ...(Object.keys(config).length === 0 ? {} : { embedContentConfig: config }),
  }
  const answer = jsonOf(yield* send(jsonRequest(target, place(target, 'embedContent'), body)), failure)
  return {
    vectors: [readVector(objectAt(answer, 'embedding').values)],
    usage: readUsage(objectAt(answer, 'usageMetadata'), 'promptTokenCount', imagesIn(batch)),
  }
}
