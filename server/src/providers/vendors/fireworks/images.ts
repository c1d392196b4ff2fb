import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { objectAt, stringAt } from '#lib/json.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { type MediaRequest, send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { imageAddress } from '#providers/codecs/images/input-image.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { madeImage } from '#providers/codecs/images/made-image.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { sizeFor } from '#providers/codecs/images/size-for.ts'
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { bodyOf, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'

const told = ['seed', 'guidance_scale', 'num_inference_steps', 'negative_prompt', 'output_format']

/**
 * Each model family has its own path and format: FLUX responds with bytes, Kontext with a task, and older models take
 * pixels.
 */
export const fireworksImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: ({ extras }) => Object.keys(extras).filter((name) => !told.includes(name)),
  *converse(task, target) {
    const isKontext = /kontext/i.test(target.upstreamModel)
    refuseInputs(task, { most: isKontext ? 1 : 0 })
    return yield* makeInTurns(task, 1, () => (isKontext ? makeByTask(task, target) : makeAtOnce(task, target)))
  },
}

function* makeAtOnce(task: ImageTask, target: MediaTarget): Generator<Step, Turn, StepOutcome> {
  const isFlux = /flux/i.test(target.upstreamModel)
  const place = isFlux
    ? `/workflows/${target.upstreamModel}/text_to_image`
    : `/image_generation/${target.upstreamModel}`
  const form = isFlux ? ratioOf(task, target) : (sizeFor(task, olderSizes) ?? {})
  const request = jsonRequest(target, place, { ...orderOf(task, target), ...form })
  const exchange = yield* send({ ...request, headers: { ...request.headers, accept: 'image/png' } })
  const bytes = bodyOf(exchange, readFailure)
  const finish = exchange.headers['finish-reason']
  if (finish === 'CONTENT_FILTERED') throw moderated('the image was filtered')
  return { images: bytes.length === 0 ? [] : [{ kind: 'bytes', bytes }] }
}

const olderSizes = { step: 64, side: { least: 512, most: 1_536 }, pixels: { least: 262_144, most: 1_572_864 } }

function* makeByTask(task: ImageTask, target: MediaTarget): Generator<Step, Turn, StepOutcome> {
  const place = `/workflows/${target.upstreamModel}`
  const [input] = task.inputs.map(imageAddress)
  const order: MediaJson = { ...orderOf(task, target), ...ratioOf(task, target), input_image: input }
  const id = stringAt(jsonOf(yield* send(jsonRequest(target, place, order)), readFailure), 'request_id')
  if (id === undefined) throw new UnusableAnswerError('The upstream returned no task id.')
  const request: MediaRequest = jsonRequest(target, `${place}/get_result`, { id })
  const sample = yield* poll({ request, readFailure, read: sampleIn })
  return { images: [madeImage(sample)] }
}

function sampleIn(answer: Parameters<typeof stringAt>[0]): string | undefined {
  const status = stringAt(answer, 'status') ?? ''
  if (/moderated/i.test(status)) throw moderated(status)
  if (/^(?:error|failed|task not found)$/i.test(status)) throw failedTask(status)
  return status === 'Ready' ? stringAt(objectAt(answer, 'result'), 'sample') : undefined
}

function orderOf(task: ImageTask, target: MediaTarget): { readonly [field: string]: MediaJson | undefined } {
  return { prompt: task.prompt, ...knownExtras(task.extras, told), ...fixedParameters(target) }
}

const ratios = ['1:1', '21:9', '16:9', '3:2', '5:4', '4:5', '2:3', '9:16', '9:21', '4:3', '3:4'] as const

function ratioOf(task: ImageTask, target: MediaTarget): { aspect_ratio?: string } {
  const ratio = ratioFor(task, target, ratios)
  return ratio === undefined ? {} : { aspect_ratio: ratio }
}
