import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type MediaRequest, send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { imageFile } from '#providers/codecs/images/input-image.ts'
import { ignoredFields, knownExtras } from '#providers/codecs/images/known-extras.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { moderated } from '#providers/codecs/images/task-refusals.ts'
import { type FormPart, formRequest, getRequest, jsonOf } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { findOperation, type Operation } from './operations.ts'
import { readStabilityFailure } from './read-failure.ts'

/** Every request creates one image. */
export const stableImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task) => ignoredFields(task, [...extras, ...imageExtras]),
  *converse(task, target) {
    const operation = findOperation(target.upstreamModel)
    if (operation === undefined) {
      throw new GatewayError('modelEndpointMismatch', { message: 'This provider does not support this operation.' })
    }
    refuseInputs(task, operation.inputs)
    const parts = [...fieldsOf(task, operation, target), ...(yield* filesOf(task, operation))]
    const request = asJson(formRequest(target, operation.path, parts))
    return yield* makeInTurns(task, 1, () => makeOne(request, operation, target))
  },
}

function fieldsOf(task: ImageTask, operation: Operation, target: MediaTarget): FormPart[] {
  const { model, inputs } = operation
  const hasImage = task.inputs.length > 0
  // An input image determines the size, and a ratio in the same request is rejected.
  const isShaped = operation.takesRatio && !hasImage
  const fields = {
    ...(operation.takesPrompt && task.prompt !== '' ? { prompt: task.prompt } : {}),
    ...(model === undefined ? {} : { model }),
    ...(hasImage && inputs.mode !== undefined ? { mode: inputs.mode } : {}),
    ...(hasImage && inputs.strength !== undefined ? { strength: inputs.strength } : {}),
    ...(isShaped ? { aspect_ratio: ratioFor(task, target, ratios) } : {}),
    ...knownExtras(task.extras, hasImage ? [...extras, ...imageExtras] : extras),
    ...fixedParameters(target),
  }
  return Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value: String(value) }],
  )
}

const ratios = ['1:1', '16:9', '9:16', '3:2', '2:3', '5:4', '4:5', '21:9', '9:21']
const extras = ['seed', 'negative_prompt', 'output_format', 'style_preset', 'cfg_scale']
const imageExtras =
  'strength control_strength fidelity creativity search_prompt select_prompt grow_mask left right up down'.split(' ')

function* filesOf(task: ImageTask, { inputs }: Operation): Generator<Step, FormPart[], StepOutcome> {
  const parts: FormPart[] = []
  for (const [index, input] of task.inputs.entries()) {
    const name = inputs.fields[index] ?? 'image'
    parts.push({ name, file: yield* imageFile(input), filename: name })
  }
  return parts
}

function* makeOne(
  request: MediaRequest,
  { isTask }: Operation,
  target: MediaTarget,
): Generator<Step, Turn, StepOutcome> {
  const answer = jsonOf(yield* send(request), readStabilityFailure)
  const base64 = isTask === true ? yield* askAfter(answer, target) : imageIn(answer)
  if (base64 === undefined) throw new UnusableAnswerError('The upstream finished without returning an image.')
  return { images: [{ kind: 'base64', base64 }] }
}

function* askAfter(accepted: JsonObject, target: MediaTarget): Generator<Step, string, StepOutcome> {
  const id = stringAt(accepted, 'id')
  if (id === undefined || id === '') throw new UnusableAnswerError('The upstream returned no task id.')
  const request = asJson(getRequest(target, `/results/${encodeURIComponent(id)}`))
  return yield* poll({ request, read: imageIn, readFailure: readStabilityFailure })
}

/** Filtered content arrives as a blurred image, which is dropped. */
function imageIn(answer: JsonObject): string | undefined {
  if (answer.finish_reason === 'CONTENT_FILTERED') throw moderated('the image was filtered.')
  const base64 = stringAt(answer, 'image') ?? stringAt(answer, 'result')
  return base64 === '' ? undefined : base64
}

function asJson(request: MediaRequest): MediaRequest {
  return { ...request, headers: { ...request.headers, accept: 'application/json' } }
}
