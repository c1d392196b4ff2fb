import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { PixelRange } from '#domain/media/size-within.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { imageAddress } from '#providers/codecs/images/input-image.ts'
import { ignoredFields, knownExtras } from '#providers/codecs/images/known-extras.ts'
import { madeImage } from '#providers/codecs/images/made-image.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { sizeFor } from '#providers/codecs/images/size-for.ts'
import { moderated } from '#providers/codecs/images/task-refusals.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { requestPath, submitPath } from './app-path.ts'
import { type AppTraits, appTraitsOf, endpointOf, usualRatios } from './app-traits.ts'

export const falImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, 'size', 'quality']),
  *converse(task, target) {
    const traits = appTraitsOf(endpointOf(target.upstreamModel))
    refuseInputs(task, { most: traits.edits?.most ?? 0 })
    const body = bodyFor(task, traits, target)
    const make = (count: number) => makeSome({ body, count, task, traits, target })
    return yield* makeInTurns(task, traits.atOnce, make, { tellsQuality: traits.takesQuality === true })
  },
}

function bodyFor(task: ImageTask, traits: AppTraits, target: MediaTarget): MediaJson & object {
  const { prompt, quality, inputs } = task
  const images = inputs.map(imageAddress)
  const field = traits.edits?.field ?? 'image_url'
  return {
    prompt,
    ...formOf(task, traits, target),
    ...(quality === null || traits.takesQuality !== true ? {} : { quality }),
    ...(images.length === 0 ? {} : { [field]: field === 'image_url' ? images[0] : images }),
    ...knownExtras(task.extras, extras),
  }
}

function formOf(task: ImageTask, { form, ratios = usualRatios }: AppTraits, target: MediaTarget): MediaJson & object {
  if (form === 'ratio') return { aspect_ratio: ratioFor(task, target, ratios) }
  // Names such as `square_hd` are specific to this upstream.
  const image_size = stringAt(task.extras, 'size') ?? sizeFor(task, range)
  return image_size === null ? {} : { image_size: typeof image_size === 'string' ? image_size : { ...image_size } }
}

const range: PixelRange = {
  step: 16,
  side: { least: 256, most: 4_096 },
  pixels: { least: 65_536, most: 16_777_216 },
}
const extras = [
  'seed',
  'negative_prompt',
  'guidance_scale',
  'num_inference_steps',
  'output_format',
  'style',
  'resolution',
  'background',
  'enhance_prompt',
  'expand_prompt',
  'rendering_speed',
  'strength',
  'acceleration',
]

interface Submit {
  readonly body: MediaJson & object
  readonly count: number
  readonly task: ImageTask
  readonly traits: AppTraits
  readonly target: MediaTarget
}

function* makeSome({ body, count, task, traits, target }: Submit): Generator<Step, Turn, StepOutcome> {
  const app = endpointOf(target.upstreamModel)
  const path = submitPath(app, traits, task.inputs.length === 0 ? 'words' : 'images')
  const whole = { ...body, ...(count === 1 ? {} : { num_images: count }), ...fixedParameters(target) }
  const accepted = jsonOf(yield* send(jsonRequest(target, path, whole)), readFailure)
  const requestId = stringAt(accepted, 'request_id')
  if (requestId === undefined || requestId === '') {
    throw new UnusableAnswerError('The upstream returned no task id.')
  }
  return { images: readImages(yield* resultOf(requestPath(app, requestId), target)) }
}

/** A task that is reported as done may still be running, or may have failed, which only its result shows. */
function* resultOf(path: string, target: MediaTarget): Generator<Step, JsonObject, StepOutcome> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    yield* poll({ request: getRequest(target, `${path}/status`), read: isDone, readFailure })
    const exchange = yield* send(getRequest(target, path))
    const isEarly = exchange.status === 400 && /still in progress/i.test(exchange.body.toString('utf8', 0, 1_024))
    if (!isEarly || triesLeft === 0) return jsonOf(exchange, readFailure)
  }
}

function isDone(answer: JsonObject): true | undefined {
  return answer.status === 'COMPLETED' ? true : undefined
}

/** Images that the safety checker rejected are sent blackened. They are dropped. */
function readImages(result: JsonObject): MadeImage[] {
  const { images, image, has_nsfw_concepts: flags } = result
  const stated = Array.isArray(images) ? images : [image]
  const kept = stated.filter((_, index) => !(Array.isArray(flags) && flags[index] === true))
  if (stated.length > 0 && kept.length === 0) throw moderated('the output was flagged as unsafe content.')
  return kept.map((each) => madeImage(isJsonObject(each) ? each.url : undefined))
}
