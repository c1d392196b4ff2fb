import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { addressOrBase64, imageBase64 } from '#providers/codecs/images/input-image.ts'
import { ignoredFields, knownExtras } from '#providers/codecs/images/known-extras.ts'
import { madeImage } from '#providers/codecs/images/made-image.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { sizeFor } from '#providers/codecs/images/size-for.ts'
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { type FluxTraits, fluxTraitsOf } from './flux-traits.ts'
import { pollingRequest } from './polling-request.ts'

/** Every task creates one image. */
export const fluxImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, 'resolution']),
  *converse(task, target) {
    // Listings spell the second generation with a dot, its paths with a dash.
    const model = target.upstreamModel.replace(/^flux\.(?=\d)/, 'flux-')
    const traits = fluxTraitsOf(model)
    refuseInputs(task, traits.inputs)
    const body: MediaJson = {
      prompt: task.prompt,
      ...formOf(task, traits, target),
      ...(yield* inputsOf(task, traits)),
      ...knownExtras(task.extras, extras),
      ...fixedParameters(target),
    }
    const submit = jsonRequest(target, `/${encodeURIComponent(model)}`, body)
    return yield* makeInTurns(task, 1, () => makeOne(submit, target))
  },
}

const ratios = ['1:1', '4:3', '3:4', '3:2', '2:3', '5:4', '4:5', '16:9', '9:16', '21:9', '9:21']
const extras =
  'seed output_format prompt_upsampling guidance steps raw image_prompt_strength top bottom left right'.split(' ')

function formOf(task: ImageTask, { form }: FluxTraits, target: MediaTarget): MediaJson & object {
  if (form.kind === 'none') return {}
  if (form.kind === 'pixels') return { ...sizeFor(task, form.range) }
  return { aspect_ratio: ratioFor(task, target, ratios) }
}

function* inputsOf(task: ImageTask, { inputs }: FluxTraits): Generator<Step, MediaJson & object, StepOutcome> {
  const fields: Record<string, MediaJson> = {}
  for (const [index, input] of task.inputs.entries()) {
    const name = index === 0 ? inputs.field : `${inputs.field}_${index + 1}`
    fields[name] = inputs.takesUrls ? addressOrBase64(input) : yield* imageBase64(input)
  }
  return fields
}

function* makeOne(submit: ReturnType<typeof jsonRequest>, target: MediaTarget): Generator<Step, Turn, StepOutcome> {
  const accepted = jsonOf(yield* send(submit), readFailure)
  const image = yield* poll({ request: pollingRequest(accepted, target), read: readTask, readFailure })
  return { images: [image], outputPixels: pixelsAt(accepted, 'output_mp'), inputPixels: pixelsAt(accepted, 'input_mp') }
}

function readTask(answer: JsonObject): Turn['images'][number] | undefined {
  const status = stringAt(answer, 'status') ?? ''
  switch (status) {
    case 'Ready':
      return madeImage(objectAt(answer, 'result').sample)
    case 'Request Moderated':
    case 'Content Moderated':
      throw moderated([status, ...reasonsOf(answer)].join(', '))
    case 'Error':
    case 'Failed':
    case 'Task not found':
      throw failedTask([status, JSON.stringify(answer.details ?? null)].join(' '))
    default:
      return undefined
  }
}

function reasonsOf(answer: JsonObject): string[] {
  const reasons = objectAt(answer, 'details')['Moderation Reasons']
  return Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : []
}

/** Billed megapixels, rounded as the vendor does. Undefined for a value that no task of one image can have. */
function pixelsAt(answer: JsonObject, name: string): number | undefined {
  const megapixels = answer[name]
  const isPossible = typeof megapixels === 'number' && megapixels >= 0 && megapixels <= megapixelsMax
  return isPossible ? Math.round(megapixels * 1_000_000) : undefined
}

// Eight inputs of the largest accepted size, with some margin.
const megapixelsMax = 200
