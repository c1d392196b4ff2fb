import { nearestSize, writeSize } from '#domain/media/fit-image-size.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { overriddenSizes } from '#providers/codecs/images/known-forms.ts'
import { imageAddress } from '#providers/codecs/images/input-image.ts'
import { ignoredFields, knownExtras } from '#providers/codecs/images/known-extras.ts'
import { madeImage } from '#providers/codecs/images/made-image.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { sizeFor } from '#providers/codecs/images/size-for.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { type ImageTraits, imageTraitsOf } from './image-traits.ts'
import { nativeTarget } from './native-target.ts'
import { judgeDashscopeFailure, readDashscopeFailure } from './read-failure.ts'

/** Qwen and Wan on the native API. The OpenAI-compatible API has no images. */
export const dashscopeImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, 'resolution']),
  *converse(task, target) {
    const model = modelOf(target)
    const traits = imageTraitsOf(model)
    refuseInputs(task, traits.inputs)
    const content = [...task.inputs.map((input) => ({ image: imageAddress(input) })), { text: task.prompt }]
    const input = { messages: [{ role: 'user', content }] }
    return yield* makeInTurns(task, traits.atOnce, (count) => {
      const parameters = { ...parametersFor(task, traits, target), n: count, ...fixedParameters(target) }
      return makeSome({ model, input, parameters }, target)
    })
  },
}

const extras = ['seed', 'negative_prompt', 'prompt_extend']

/** Listings spell the third generation without its minor number. */
function modelOf({ upstreamModel }: MediaTarget): string {
  return upstreamModel.replace(/^qwen-image-3(?=$|-)/, 'qwen-image-3.0')
}

function parametersFor(task: ImageTask, { form }: ImageTraits, target: MediaTarget): JsonObject {
  const sizes = overriddenSizes(target) ?? ('sizes' in form ? form.sizes : undefined)
  const size =
    'range' in form && sizes === undefined
      ? sizeFor(task, form.range, form.pixelsOfRatio)
      : nearestSize(task, sizes ?? [])
  return {
    ...(size === null ? {} : { size: writeSize(size, '*') }),
    watermark: false,
    ...knownExtras(task.extras, extras),
  }
}

function* makeSome(body: MediaJson & object, target: MediaTarget): Generator<Step, Turn, StepOutcome> {
  const request = jsonRequest(nativeTarget(target), '/services/aigc/multimodal-generation/generation', body)
  const answer = jsonOf(yield* send(request), readDashscopeFailure)
  const images = imagesIn(objectAt(answer, 'output'))
  // A failure after a request was accepted has status 200.
  if (images.length === 0 && answer.code !== undefined && answer.code !== '') {
    throw new UpstreamRefusedError(judgeDashscopeFailure(answer))
  }
  return { images }
}

function imagesIn(output: JsonObject): MadeImage[] {
  const choices = Array.isArray(output.choices) ? output.choices.filter(isJsonObject) : []
  return choices.flatMap((choice) => {
    const { content } = objectAt(choice, 'message')
    const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
    return parts.flatMap((part) => (stringAt(part, 'image') === undefined ? [] : [madeImage(part.image)]))
  })
}
