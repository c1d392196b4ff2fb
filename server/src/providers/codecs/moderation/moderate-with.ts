import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn } from '#domain/media/speech.ts'
import type { Verdict } from '#domain/media/media-result.ts'
import type { MediaInput, ModerationPart, ModerationTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ModerationCodec } from '../codec.ts'
import { send } from '../exchange-script.ts'
import { UnusableAnswerError } from '../faults.ts'
import { jsonOf, jsonRequest } from '../media-request.ts'

interface ModerationHabits {
  /** Set if it judges images as well. */
  readonly images?: true
  readonly countsTokens?: false
}

/** `POST /moderations`, as accepted by OpenAI and those that follow it. */
export function moderateWith({ images, countsTokens }: ModerationHabits = {}): ModerationCodec {
  return {
    ...(countsTokens === undefined ? {} : { countsTokens }),
    *converse(task, target) {
      const body: JsonObject = { model: target.upstreamModel, input: writeInput(task, images === true) }
      const answer = jsonOf(yield* send(jsonRequest(target, '/moderations', body)), readFailure)
      return { kind: 'moderation', verdicts: readVerdicts(answer, task.inputs.length), usage: readUsage(answer, task) }
    },
  }
}

function writeInput({ inputs }: ModerationTask, images: boolean): JsonValue {
  const [first = []] = inputs
  if (first.every(({ kind }) => kind === 'text') && (inputs.length > 1 || first.length === 1 || !images)) {
    return inputs.map(textOf)
  }
  if (!images) {
    throw new GatewayError('inputImagesNotSupported', {
      message: 'The providers of this model only judge text. Remove the image_url parts.',
    })
  }
  return first.map((part) =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: addressOf(part.image) } },
  )
}

function textOf(parts: readonly ModerationPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
}

function addressOf(image: MediaInput): string {
  switch (image.kind) {
    case 'url':
      return image.url
    case 'data':
      return `data:${image.mediaType};base64,${image.base64}`
    case 'file':
      throw new TypeError('a moderation request has no files')
  }
}

function readVerdicts({ results }: JsonObject, inputs: number): Verdict[] {
  const verdicts = objectsIn(results).map((result): Verdict => {
    const { flagged, categories, category_scores: scores, category_applied_input_types: types } = result
    if (!isJsonObject(categories) || !isJsonObject(scores)) throw unusable()
    return {
      // Some upstreams state only the categories.
      isFlagged: typeof flagged === 'boolean' ? flagged : Object.values(categories).includes(true),
      categories,
      scores,
      inputTypes: isJsonObject(types) ? types : null,
    }
  })
  if (verdicts.length !== inputs) throw unusable()
  return verdicts
}

function unusable(): UnusableAnswerError {
  return new UnusableAnswerError('The upstream returned invalid moderation results.')
}

/** Upstreams that charge nothing count no tokens. The characters are counted here, so that the request has a usage. */
function readUsage(answer: JsonObject, { inputs }: ModerationTask): Usage {
  const usage = objectAt(answer, 'usage')
  const tokens = countAt(usage, 'prompt_tokens') ?? countAt(usage, 'total_tokens') ?? 0
  const characters = inputs.flat().reduce((sum, part) => sum + (part.kind === 'text' ? charactersIn(part.text) : 0), 0)
  const images = inputs.flat().filter(({ kind }) => kind === 'image').length
  return {
    ...noUsage,
    uncachedInput: tokens,
    media: { inputCharacters: characters, ...(images === 0 ? {} : { inputImages: images }) },
  }
}
