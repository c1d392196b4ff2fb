import { noUsage } from '#domain/inference/usage.ts'
import type { MadeImage } from '#domain/media/media-result.ts'
import type { Part } from '#domain/inference/parts.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { readDocument } from '#providers/protocols/gemini/read-document.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'
import { readUsage } from '#providers/protocols/gemini/read-usage.ts'
import type { Exchange } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import type { Turn } from '#providers/codecs/images/make-in-turns.ts'
import { moderated } from '#providers/codecs/images/task-refusals.ts'
import type { TokenCount } from '#providers/codecs/images/token-count.ts'
import { bodyOf, jsonOf } from '#providers/codecs/media-request.ts'

/** A Gemini response: images, text and tokens. */
export function readGeneratedImages(exchange: Exchange): Turn {
  const bytes = bodyOf(exchange, readFailure)
  const document = readDocument(bytes)
  if (!document.ok) throw new UnusableAnswerError(document.failure.message)
  const choices = document.reply.choices
  const parts = choices.flatMap((choice) => choice.parts)
  const images = parts.flatMap(imageIn)
  const filtered = choices.find(({ finishReason }) => finishReason === 'content_filter')
  if (images.length === 0 && filtered !== undefined) throw moderated(filtered.nativeFinishReason ?? '')
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return { images, text, tokens: tokensOf(parseJsonObject(bytes.toString('utf8')) ?? {}) }
}

function imageIn(part: Part): MadeImage[] {
  if (part.kind !== 'image') return []
  const { source } = part
  return source.kind === 'url' ? [{ kind: 'url', url: source.url }] : [{ kind: 'base64', base64: source.base64 }]
}

/** Undefined if nothing was counted. Tokens of input images are separate from those of the text. */
function tokensOf(answer: JsonObject): TokenCount | undefined {
  const usage = readUsage(answer)
  if (usage === undefined) return undefined
  const shown = Math.min(shownTokens(objectAt(answer, 'usageMetadata')), usage.uncachedInput)
  const classes = { ...noUsage, ...usage, uncachedInput: usage.uncachedInput - shown }
  return { classes, inputImageTokens: shown }
}

function shownTokens({ promptTokensDetails: details }: JsonObject): number {
  if (!Array.isArray(details)) return 0
  return details
    .filter(isJsonObject)
    .filter((detail) => stringAt(detail, 'modality')?.toUpperCase() === 'IMAGE')
    .reduce((sum, detail) => sum + (countAt(detail, 'tokenCount') ?? 0), 0)
}

/** An Imagen response, which is billed per image. If all images were filtered, the response says why. */
export function readPredictions(exchange: Exchange): Turn {
  const { predictions } = jsonOf(exchange, readFailure)
  const items = Array.isArray(predictions) ? predictions.filter(isJsonObject) : []
  const images = items.flatMap((item): MadeImage[] => {
    const base64 = stringAt(item, 'bytesBase64Encoded')
    return base64 === undefined || base64 === '' ? [] : [{ kind: 'base64', base64 }]
  })
  const reason = items.map((item) => stringAt(item, 'raiFilteredReason')).find((text) => text !== undefined)
  if (images.length === 0 && reason !== undefined) throw moderated(reason)
  return { images }
}
