import { collectMatter, type PromptMatter, sizeOf } from '#domain/inference/prompt-matter.ts'
import { mediaTokens } from '#domain/inference/prompt-media.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { EmbeddingInput, EmbeddingTask, MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { extrasOf, readModelName } from '../media-fields.ts'
import { readInputs } from './read-inputs.ts'

/** Rejects requests that no upstream could serve. `stream` is ignored, because there is nothing to stream. */
export function parseEmbeddings(body: JsonObject): DialectCall {
  const modelName = readModelName(body)
  const task = taskOf(body)
  const words = sizeOf(collectMatter((matter) => task.inputs.forEach((input) => addInput(matter, input))))
  refuseManyAddresses(task)
  const images = imageCountOf(task)
  const imageTokens = images * mediaTokens.image
  const worst = {
    ...noUsage,
    uncachedInput: words.promptTokensHeld,
    ...(images === 0 ? {} : { media: { inputImages: images, inputImageTokens: images * imageTokensMax } }),
  }
  const most = { ...worst, uncachedInput: words.promptTokensMax ?? words.promptTokensHeld }
  return {
    modelName,
    stream: false,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: words.promptTokensEstimate + imageTokens,
    promptTokensHeld: words.promptTokensHeld + imageTokens,
    body,
    media: { task, worst, most },
  }
}

/** Voyage accepts images of up to 20 million pixels, at 560 pixels per token. */
const imageTokensMax = 36_000

export function imageCountOf(task: EmbeddingTask): number {
  return imagesOf(task).length
}

function imagesOf({ inputs }: EmbeddingTask): readonly MediaInput[] {
  const parts = inputs.flatMap((input) => (input.kind === 'parts' ? input.parts : []))
  return parts.flatMap((part) => (part.kind === 'image' ? [part.image] : []))
}

/** A body has room for a hundred thousand URLs, and the gateway may fetch each, up to ten megabytes. */
const addressesMax = 32

function refuseManyAddresses(task: EmbeddingTask): void {
  const count = imagesOf(task).filter(({ kind }) => kind === 'url').length
  if (count <= addressesMax) return
  throw new GatewayError('tooManyImages', {
    message: `\`input\` has ${count} image URLs; the limit is ${addressesMax} per request. Send the others as data URIs.`,
  })
}

const readFields = new Set(['input', 'dimensions', 'encoding_format'])

function taskOf(body: JsonObject): EmbeddingTask {
  return {
    kind: 'embedding',
    inputs: readInputs(body.input),
    dimensions: dimensionsOf(body.dimensions),
    encoding: encodingOf(body.encoding_format),
    extras: extrasOf(body, readFields),
  }
}

function dimensionsOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw malformed('`dimensions` must be a positive integer.')
}

function encodingOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && value !== '') return value
  throw malformed('`encoding_format` must be a string such as "float" or "base64".')
}

// Most tokenizers add a token before and after each input.
const marksPerInput = 2

function addInput(matter: PromptMatter, input: EmbeddingInput): void {
  matter.tokens += marksPerInput
  switch (input.kind) {
    case 'text':
      matter.texts.push(input.text)
      return
    case 'tokens':
      matter.tokens += input.tokens.length
      return
    case 'parts':
      for (const part of input.parts) if (part.kind === 'text') matter.texts.push(part.text)
  }
}
