import type { MediaJson } from '#domain/media/media-json.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { ImageCodec } from '../codec.ts'
import { type MediaRequest, send, type Step, type StepOutcome } from '../exchange-script.ts'
import { imageAddress, imageFile } from '../images/input-image.ts'
import { knownExtras } from '../images/known-extras.ts'
import { makeInTurns } from '../images/make-in-turns.ts'
import { refuseInputs } from '../images/refuse-inputs.ts'
import { type FormPart, formRequest, jsonRequest } from '../media-request.ts'
import { fixedParameters, type MediaTarget } from '../target.ts'
import type { ImageHabits, ImageInputs, MediaMembers } from './image-habits.ts'
import { readImages } from './read-images.ts'

/** The images of OpenAI and compatible upstreams. */
export function openAiImages(habits: ImageHabits): ImageCodec {
  const told = new Set([...(habits.extras ?? []), 'resolution'])
  return {
    ...(habits.inputs === undefined ? { takesInputs: false as const } : {}),
    ignored: ({ extras }) => Object.keys(extras).filter((name) => !told.has(name)),
    *converse(task, target) {
      const { inputs } = habits
      refuseInputs(task, { most: inputs?.most ?? 0 })
      // Files are read once, however many requests follow.
      const files = inputs?.kind === 'form' ? yield* filesOf(task) : []
      const makeSome = function* (count: number) {
        const members = orderOf(habits, task, target, count)
        const request =
          task.inputs.length === 0 || inputs === undefined
            ? jsonRequest(target, habits.path ?? '/images/generations', members)
            : requestWith(inputs, members, { task, target, files })
        return readImages(yield* send(request))
      }
      const atOnce = valueFor(habits.atOnce, target) ?? atOnceDefault
      return yield* makeInTurns(task, atOnce, makeSome, { tellsQuality: habits.takesQuality === true })
    },
  }
}

const atOnceDefault = 10

/** Everything except the input images. */
function orderOf(habits: ImageHabits, task: ImageTask, target: MediaTarget, count: number): MediaMembers {
  const { countField = 'n', takesQuality, extras = [] } = habits
  return {
    model: target.upstreamModel,
    prompt: task.prompt,
    ...(count === 1 ? {} : { [countField]: count }),
    ...habits.writeSize(task, target),
    ...(takesQuality !== true || task.quality === null ? {} : { quality: task.quality }),
    response_format: valueFor(habits.responseFormat, target),
    ...knownExtras(task.extras, extras),
    ...fixedParameters(target),
  }
}

function valueFor<Value extends string | number>(
  stated: Value | ((target: MediaTarget) => Value | undefined) | undefined,
  target: MediaTarget,
): Value | undefined {
  return typeof stated === 'function' ? stated(target) : stated
}

function* filesOf({ inputs }: ImageTask): Generator<Step, readonly MediaFile[], StepOutcome> {
  const files: MediaFile[] = []
  for (const input of inputs) files.push(yield* imageFile(input))
  return files
}

interface Given {
  readonly task: ImageTask
  readonly target: MediaTarget
  readonly files: readonly MediaFile[]
}

function requestWith(inputs: ImageInputs, members: MediaMembers, { task, target, files }: Given): MediaRequest {
  if (inputs.kind === 'json') {
    const body = { ...members, ...inputs.write(task.inputs.map(imageAddress)) }
    return jsonRequest(target, inputs.path ?? '/images/generations', body)
  }
  const parts: FormPart[] = Object.entries({ ...inputs.defaults, ...members }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: textOf(value) }],
  )
  const images = files.map((file, index) => ({ name: inputs.field, file, filename: filenameOf(file, index) }))
  return formRequest(target, inputs.path, [...parts, ...images])
}

function textOf(value: MediaJson): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Some upstreams detect a file's type by its extension. The sender's file name is not passed on. */
function filenameOf({ mediaType }: MediaFile, index: number): string {
  return `image-${index + 1}.${mediaType.slice('image/'.length)}`
}
