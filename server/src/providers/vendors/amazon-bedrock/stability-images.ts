import type { MediaJson } from '#domain/media/media-json.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { type ExchangeScript, type Exchange, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { ratioFor } from '#providers/codecs/images/known-forms.ts'
import { imageBase64 } from '#providers/codecs/images/input-image.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'
import { refuseInputs } from '#providers/codecs/images/refuse-inputs.ts'
import { failedTask, moderated } from '#providers/codecs/images/task-refusals.ts'
import { jsonOf } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/bedrock/read-failure.ts'
import { invokeRequest } from './invoke.ts'
import type { Operation } from './stability-operations.ts'

/** The client's other fields that an operation accepts. */
export function stableExtras({ extras }: Operation): readonly string[] {
  return [...extras, 'output_format']
}

/** Every request creates one image. */
export function* makeStableImages(
  task: ImageTask,
  target: MediaTarget,
  operation: Operation,
): ExchangeScript<ImageResult> {
  const { inputs, takesPrompt, takesRatio } = operation
  refuseInputs(task, inputs)
  const hasImage = task.inputs.length > 0
  const images: { [field: string]: MediaJson } = {}
  for (const [index, input] of task.inputs.entries()) {
    images[inputs.fields[index] ?? 'image'] = yield* imageBase64(input)
  }
  const known = knownExtras(task.extras, stableExtras(operation))
  const { strength: _, ...withoutStrength } = known
  // An input image determines the size, unless it only shows the style.
  const isShaped = takesRatio && (!hasImage || inputs.least === 1)
  const body: MediaJson = {
    ...(takesPrompt && task.prompt !== '' ? { prompt: task.prompt } : {}),
    ...(isShaped ? { aspect_ratio: ratioFor(task, target, ratios) } : {}),
    ...(hasImage ? { ...inputs.beside, ...known } : withoutStrength),
    ...images,
    ...fixedParameters(target),
  }
  const request = invokeRequest(target, body)
  return yield* makeInTurns(task, 1, function* () {
    return imageIn(yield* send(request))
  })
}

const ratios = ['1:1', '16:9', '9:16', '3:2', '2:3', '5:4', '4:5', '21:9', '9:21']

/** Each image has a reason, which is null if it was created. */
function imageIn(exchange: Exchange): Turn {
  const { images, finish_reasons: reasons } = jsonOf(exchange, readFailure)
  const reason = Array.isArray(reasons) ? reasons.find((each) => typeof each === 'string') : undefined
  if (typeof reason === 'string') throw reason.startsWith('Filter') ? moderated(reason) : failedTask(reason)
  const made = (Array.isArray(images) ? images : []).flatMap((base64): MadeImage[] =>
    typeof base64 === 'string' && base64 !== '' ? [{ kind: 'base64', base64 }] : [],
  )
  if (made.length === 0) throw new UnusableAnswerError('The upstream finished without returning an image.')
  return { images: made }
}
