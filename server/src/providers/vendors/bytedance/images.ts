import { writeSize } from '#domain/media/fit-image-size.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { imageAddress } from '#providers/codecs/images/input-image.ts'
import { ignoredFields, knownExtras } from '#providers/codecs/images/known-extras.ts'
import { fixedParameters } from '#providers/codecs/target.ts'
import { madeImage } from '#providers/codecs/images/made-image.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { namedResolution, sizeFor } from '#providers/codecs/images/size-for.ts'
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { readArkFailure } from './read-failure.ts'
import { type SeedreamTraits, seedreamTraitsOf } from './seedream-traits.ts'

/**
 * Seedream and SeedEdit. A request can allow several images, but then the model chooses how many; a client that wants
 * two gets two from two requests.
 */
export const arkImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, 'resolution']),
  *converse(task, target) {
    const traits = seedreamTraitsOf(target.upstreamModel)
    refuseInputs(task, traits.inputs)
    const body: MediaJson = {
      model: target.upstreamModel,
      prompt: task.prompt,
      ...sizeOf(task, traits),
      ...imageOf(task),
      ...(traits.makesSets ? { sequential_image_generation: 'disabled' } : {}),
      response_format: 'url',
      watermark: false,
      ...knownExtras(task.extras, extras),
      ...fixedParameters(target),
    }
    const request = jsonRequest(target, '/images/generations', body)
    return yield* makeInTurns(task, 1, () => makeOne(request))
  },
}

const extras = ['seed', 'guidance_scale', 'output_format']

function sizeOf(task: ImageTask, { form }: SeedreamTraits): JsonObject {
  if (form.kind === 'adaptive') return { size: 'adaptive' }
  const isOpen = task.size === null && task.aspectRatio === null
  // A resolution name leaves the ratio to the prompt or to the input image.
  if (isOpen && form.named !== undefined) return { size: namedResolution(task) ?? form.named }
  const size = sizeFor(task, form.range, form.pixelsOfRatio)
  return size === null ? {} : { size: writeSize(size) }
}

function imageOf({ inputs }: ImageTask): { image?: MediaJson } {
  const images = inputs.map(imageAddress)
  const [first] = images
  return first === undefined ? {} : { image: images.length === 1 ? first : images }
}

function* makeOne(request: ReturnType<typeof jsonRequest>): Generator<Step, Turn, StepOutcome> {
  const { data } = jsonOf(yield* send(request), readArkFailure)
  if (!Array.isArray(data)) throw new UnusableAnswerError('The upstream response has no array of images.')
  const items = data.filter(isJsonObject)
  const images = items.flatMap(imageIn)
  if (images.length === 0) for (const item of items) refuse(objectAt(item, 'error'))
  return { images }
}

function imageIn(item: JsonObject): MadeImage[] {
  const base64 = stringAt(item, 'b64_json')
  if (base64 !== undefined) return [{ kind: 'base64', base64 }]
  return item.url === undefined ? [] : [madeImage(item.url)]
}

/** A failed image is an error in its place in the array. */
function refuse(error: JsonObject): void {
  const [code, message] = [stringAt(error, 'code') ?? '', stringAt(error, 'message') ?? '']
  if (code === '' && message === '') return
  throw /Sensitive|RiskDetection|Copyright/i.test(code) ? moderated(message) : failedTask(`${code} ${message}`)
}
