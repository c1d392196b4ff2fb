import { addText, collectMatter, sizeOf } from '#domain/inference/prompt-matter.ts'
import { mediaTokens } from '#domain/inference/prompt-media.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'
import { pixelsMax, worstImages } from '#domain/media/worst-images.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { parseImageOrder } from './image-fields.ts'

/** Builds an image request from its fields and input images. */
export function imageCall(body: JsonObject, modelName: string, inputs: readonly MediaInput[]): DialectCall {
  const task: ImageTask = { kind: 'image', ...parseImageOrder(body), inputs: withinLimit(inputs) }
  const matter = collectMatter((collected) => {
    addText(collected, task.prompt)
    addText(collected, task.extras.negative_prompt)
    collected.tokens += inputs.length * mediaTokens.image
  })
  const size = sizeOf(matter)
  return {
    modelName,
    stream: streamOf(body),
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    ...size,
    body,
    media: {
      task,
      worst: worstOf(task, size.promptTokensHeld),
      most: worstOf(task, size.promptTokensMax ?? size.promptTokensHeld),
    },
  }
}

/** The API's maximum number of input images. */
const inputsMax = 8

function withinLimit(inputs: readonly MediaInput[]): readonly MediaInput[] {
  if (inputs.length <= inputsMax) return inputs
  throw new GatewayError('tooManyImages', {
    message: `A request can include at most ${inputsMax} input images, but this one has ${inputs.length}.`,
  })
}

function streamOf({ stream }: JsonObject): boolean {
  if (stream === undefined || stream === null || stream === false || stream === 'false' || stream === '') return false
  if (stream === true || stream === 'true') return true
  throw malformed('`stream` must be true or false.')
}

// The most tokens that a known model counts for one input image in full detail.
const inputTokensMax = 6_400

function worstOf({ count, size, quality, inputs }: ImageTask, promptTokens: number): Usage {
  const worst = worstImages(count, size)
  // Providers that make one image at a time get all inputs again for each.
  const shown = inputs.length * count
  return {
    ...worst,
    uncachedInput: promptTokens * count,
    media: {
      ...worst.media,
      inputImages: shown,
      inputPixels: shown * pixelsMax,
      inputImageTokens: shown * inputTokensMax,
      // The output may be larger than requested, and the charge follows the output.
      variant: quality === null ? {} : { quality },
    },
  }
}
