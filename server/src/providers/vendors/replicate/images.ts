import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { PixelRange } from '#domain/media/size-within.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
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
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { getRequest, jsonOf } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { type ModelTraits, modelTraitsOf } from './model-traits.ts'
import { submitRequest } from './submit-request.ts'

export const replicateImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, 'quality']),
  *converse(task, target) {
    const traits = modelTraitsOf(target.upstreamModel)
    refuseInputs(task, traits.inputs)
    const input = inputFor(task, traits, target)
    return yield* makeInTurns(task, traits.atOnce, (count) =>
      makeSome({ ...input, ...(count === 1 ? {} : { num_outputs: count }), ...fixedParameters(target) }, target),
    )
  },
}

function inputFor(
  task: ImageTask,
  { form, inputs, takesQuality }: ModelTraits,
  target: MediaTarget,
): MediaJson & object {
  const images = task.inputs.map(imageAddress)
  return {
    prompt: task.prompt,
    ...formOf(task, form, target),
    ...(images.length === 0 ? {} : { [inputs.field]: inputs.isList ? images : images[0] }),
    ...(takesQuality !== true || task.quality === null ? {} : { quality: task.quality }),
    ...knownExtras(task.extras, extras),
  }
}

function formOf(task: ImageTask, form: ModelTraits['form'], target: MediaTarget): MediaJson & object {
  const isByRatio = form === 'ratio' || (form === 'custom' && task.size === null)
  if (isByRatio) return { aspect_ratio: ratioFor(task, target, ratios) }
  return { ...(form === 'custom' ? { aspect_ratio: 'custom' } : {}), ...sizeFor(task, range) }
}

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '4:5', '5:4', '21:9', '9:21']
const range: PixelRange = { step: 32, side: { least: 256, most: 1_440 }, pixels: { least: 65_536, most: 2_073_600 } }
const extras = [
  'seed',
  'negative_prompt',
  'guidance',
  'guidance_scale',
  'num_inference_steps',
  'prompt_strength',
  'go_fast',
  'output_format',
  'output_quality',
  'prompt_upsampling',
  'megapixels',
  'resolution',
  'background',
]

function* makeSome(input: MediaJson & object, target: MediaTarget): Generator<Step, Turn, StepOutcome> {
  const request = submitRequest(input, target)
  // The server waits up to a minute before it responds, and most images are done by then.
  const waiting = { ...request, headers: { ...request.headers, prefer: 'wait' } }
  const accepted = jsonOf(yield* send(waiting), readFailure)
  const images = readPrediction(accepted) ?? (yield* askAfter(accepted, target))
  return { images }
}

/**
 * Polls by the prediction's id at the configured base URL. The URL in the response could lead anywhere and would
 * receive our key.
 */
function* askAfter(accepted: JsonObject, target: MediaTarget): Generator<Step, MadeImage[], StepOutcome> {
  const id = stringAt(accepted, 'id')
  if (id === undefined || id === '') throw new UnusableAnswerError('The upstream returned no task id.')
  const request = getRequest(target, `/predictions/${encodeURIComponent(id)}`)
  return yield* poll({ request, read: readPrediction, readFailure })
}

function readPrediction({ status, output, error }: JsonObject): MadeImage[] | undefined {
  switch (status) {
    case 'succeeded':
      return (Array.isArray(output) ? output : [output]).map(madeImage)
    case 'failed':
    case 'canceled':
    case 'aborted': {
      const words = typeof error === 'string' ? error : status
      throw unsafeWords.test(words) ? moderated(words) : failedTask(words)
    }
    default:
      return undefined
  }
}

// Failures have a text that may end with a code; E005 is the code of sensitive content.
const unsafeWords = /nsfw|flagged|sensitive|moderat|safety|content policy|\(E005\)/i
