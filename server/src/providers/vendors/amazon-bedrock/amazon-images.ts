import { nearestSize } from '#domain/media/fit-image-size.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageSize, ImageTask } from '#domain/media/media-task.ts'
import type { PixelRange } from '#domain/media/size-within.ts'
import { stringAt } from '#lib/json.ts'
import { type ExchangeScript, type Exchange, send } from '#providers/codecs/exchange-script.ts'
import { overriddenSizes } from '#providers/codecs/images/known-forms.ts'
import { imageBase64 } from '#providers/codecs/images/input-image.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { sizeFor } from '#providers/codecs/images/size-for.ts'
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { jsonOf } from '#providers/codecs/media-request.ts'
import { sizesOf } from '#providers/codecs/openai/image-sizes.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/bedrock/read-failure.ts'
import { invokeRequest } from './invoke.ts'

/** Quality is not included: it changes Amazon's charge, so the catalogue sets it where it applies. */
export const amazonExtras = ['seed', 'negative_prompt', 'cfg_scale', 'similarity_strength']

const inputsMax = 5
const atOnceMax = 5

/** Nova Canvas and Titan: from text, or as variations of images. */
export function* makeAmazonImages(task: ImageTask, target: MediaTarget, name: string): ExchangeScript<ImageResult> {
  refuseInputs(task, { most: inputsMax })
  const order = yield* orderOf(task)
  const size = sizeOf(task, target, name)
  const { seed, cfg_scale: cfgScale } = knownExtras(task.extras, amazonExtras)
  return yield* makeInTurns(task, atOnceMax, function* (numberOfImages) {
    const imageGenerationConfig = { numberOfImages, ...size, cfgScale, seed, ...fixedParameters(target) }
    return imagesIn(yield* send(invokeRequest(target, { ...order, imageGenerationConfig })))
  })
}

function* orderOf(task: ImageTask): ExchangeScript<{ [field: string]: MediaJson }> {
  const { negative_prompt: negativeText, similarity_strength: similarityStrength } = knownExtras(
    task.extras,
    amazonExtras,
  )
  const words = { text: task.prompt, negativeText }
  if (task.inputs.length === 0) return { taskType: 'TEXT_IMAGE', textToImageParams: words }
  const images: MediaJson[] = []
  for (const input of task.inputs) images.push(yield* imageBase64(input))
  return { taskType: 'IMAGE_VARIATION', imageVariationParams: { images, similarityStrength, ...words } }
}

function sizeOf(task: ImageTask, target: MediaTarget, name: string): Partial<ImageSize> {
  const sizes = overriddenSizes(target) ?? imageDetailsOf(target.details).sizes
  const isFree = sizes.length === 0 && name.includes('nova-canvas')
  const size = isFree ? sizeFor(task, novaSizes) : nearestSize(task, sizes.length > 0 ? sizes : titanSizes)
  return size === null ? {} : { width: size.width, height: size.height }
}

const novaSizes: PixelRange = {
  step: 16,
  side: { least: 320, most: 4_096 },
  pixels: { least: 320 * 320, most: 4_194_303 },
}

const titanSizes = sizesOf(
  '1024x1024',
  '768x768',
  '512x512',
  '768x1152',
  '384x576',
  '1152x768',
  '576x384',
  '768x1280',
  '384x640',
  '1280x768',
  '640x384',
  '896x1152',
  '448x576',
  '1152x896',
  '576x448',
  '768x1408',
  '384x704',
  '1408x768',
  '704x384',
  '640x1408',
  '320x704',
  '1408x640',
  '704x320',
  '1152x640',
  '1173x640',
)

/** Filtered images are missing, and an error says why. */
function imagesIn(exchange: Exchange): Turn {
  const answer = jsonOf(exchange, readFailure)
  const images = (Array.isArray(answer.images) ? answer.images : []).flatMap((base64) =>
    typeof base64 === 'string' && base64 !== '' ? [{ kind: 'base64' as const, base64 }] : [],
  )
  const error = stringAt(answer, 'error')
  if (images.length > 0) return { images }
  throw error !== undefined && filteredText.test(error) ? moderated(error) : failedTask(error ?? '')
}

const filteredText = /content filter|blocked|responsible ai|policy/i
