import { imageDetailsOf } from '#domain/media/image-details.ts'
import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { fetchImage, send, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { makeInTurns } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { geminiForm, imagenForm } from './image-form.ts'
import { readGeneratedImages, readPredictions } from './read-images.ts'

/** Google's two image APIs: Gemini draws within a conversation, Imagen responds to a prediction. */
export const geminiImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: ({ extras }) => Object.keys(extras).filter((name) => !told.has(name)),
  converse: (task, target) =>
    /^imagen|^imagegeneration/i.test(target.upstreamModel) ? predict(task, target) : generate(task, target),
}

const told: ReadonlySet<string> = new Set(['resolution', 'seed'])

function* generate(task: ImageTask, target: MediaTarget): Generator<Step, ImageResult, StepOutcome> {
  const shown: MediaJson[] = []
  for (const input of task.inputs) shown.push(yield* inlineData(input))
  const { seed } = knownExtras(task.extras, ['seed'])
  const imageConfig = geminiForm(task, target)
  const body: MediaJson = {
    contents: [{ role: 'user', parts: [...shown, { text: task.prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
      seed,
    },
    ...fixedParameters(target),
  }
  const request = jsonRequest(target, pathOf(target, 'generateContent'), body)
  return yield* makeInTurns(task, 1, function* () {
    return readGeneratedImages(yield* send(request))
  })
}

function* predict(task: ImageTask, target: MediaTarget): Generator<Step, ImageResult, StepOutcome> {
  refuseInputs(task, { most: 0 })
  const atOnce = Math.min(imageDetailsOf(target.details).countMax ?? samplesMax, samplesMax)
  return yield* makeInTurns(task, atOnce, function* (sampleCount) {
    const parameters = { sampleCount, ...imagenForm(task, target), ...fixedParameters(target) }
    const body: MediaJson = { instances: [{ prompt: task.prompt }], parameters }
    return readPredictions(yield* send(jsonRequest(target, pathOf(target, 'predict'), body)))
  })
}

const samplesMax = 4

function pathOf({ upstreamModel }: MediaTarget, action: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${action}`
}

/** Google accepts bytes and does not fetch URLs. */
function* inlineData(input: MediaInput): Generator<Step, MediaJson, StepOutcome> {
  if (input.kind === 'data') return { inlineData: { mimeType: input.mediaType, data: input.base64 } }
  const file = input.kind === 'file' ? input.file : yield* fetchImage(input.url)
  return { inlineData: { mimeType: file.mediaType, data: new FileText(file) } }
}
