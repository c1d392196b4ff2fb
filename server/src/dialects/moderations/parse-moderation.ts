import { collectMatter, type PromptSize, sizeOf } from '#domain/inference/prompt-matter.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn } from '#domain/media/speech.ts'
import type { ModerationPart, ModerationTask } from '#domain/media/media-task.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { parseImageUrl } from '../image-url.ts'
import { missingField, readModelName } from '../media-fields.ts'

/** The most inputs of a request: each gets a result of its own. */
export const moderationInputsMax = 256
/** The most parts of one input. */
const partsMax = 32

/** The model of OpenAI's clients that name none. */
const usualModel = 'openai/omni-moderation-latest'

/** Models read each input in a prompt of their own. Images are free wherever they are read. */
const templateTokensMax = 128

/** Rejects requests that no upstream could serve. `stream` is ignored, because there is nothing to stream. */
export function parseModeration(body: JsonObject): DialectCall {
  const { model } = body
  const modelName = model === undefined || model === null ? usualModel : readModelName(body)
  const task: ModerationTask = { kind: 'moderation', inputs: inputsOf(body.input) }
  const texts = moderationTexts(task)
  const size = withTemplates(sizeOf(collectMatter((matter) => matter.texts.push(...texts))), task.inputs.length)
  const worst = usageOf(task, size.promptTokensHeld)
  const most = usageOf(task, size.promptTokensMax ?? size.promptTokensHeld)
  return {
    modelName: modelName.startsWith('omni-moderation') ? `openai/${modelName}` : modelName,
    stream: false,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: size.promptTokensEstimate,
    promptTokensHeld: size.promptTokensHeld,
    body,
    media: { task, worst, most },
  }
}

/** The texts of all inputs. */
export function moderationTexts({ inputs }: ModerationTask): string[] {
  return inputs.flat().flatMap((part) => (part.kind === 'text' ? [part.text] : []))
}

function withTemplates(size: PromptSize, inputs: number): PromptSize {
  const added = inputs * templateTokensMax
  return {
    promptTokensEstimate: size.promptTokensEstimate,
    promptTokensHeld: size.promptTokensHeld + added,
    promptTokensMax: (size.promptTokensMax ?? size.promptTokensHeld) + added,
  }
}

function usageOf(task: ModerationTask, uncachedInput: number): Usage {
  const inputCharacters = moderationTexts(task).reduce((sum, text) => sum + charactersIn(text), 0)
  return { ...noUsage, uncachedInput, media: { inputCharacters } }
}

function inputsOf(input: JsonValue | undefined): readonly (readonly ModerationPart[])[] {
  if (input === undefined || input === null) throw missingField('input')
  if (typeof input === 'string') return [[{ kind: 'text', text: input }]]
  if (!Array.isArray(input) || input.length === 0) {
    throw malformed('`input` must be a string, an array of strings, or an array of text and image parts.')
  }
  if (input.every((item) => typeof item === 'string')) {
    refuseMany(input.length, moderationInputsMax)
    return input.map((text) => [{ kind: 'text', text }])
  }
  // All parts together are one input.
  refuseMany(input.length, partsMax)
  return [input.map((part, index) => partOf(part, `input[${index}]`))]
}

function refuseMany(count: number, most: number): void {
  if (count > most) throw malformed(`\`input\` has ${count} entries; send at most ${most} in one request.`)
}

function partOf(part: JsonValue, place: string): ModerationPart {
  if (isJsonObject(part) && part.type === 'text' && typeof part.text === 'string') {
    return { kind: 'text', text: part.text }
  }
  if (isJsonObject(part) && part.type === 'image_url') {
    const { url } = objectAt(part, 'image_url')
    return { kind: 'image', image: parseImageUrl(typeof url === 'string' ? url : '', `${place}.image_url.url`) }
  }
  throw malformed(`${place} must be {"type":"text","text":…} or {"type":"image_url","image_url":{"url":…}}.`)
}
