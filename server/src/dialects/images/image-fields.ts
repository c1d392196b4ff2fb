import { isVariantWord } from '#domain/media/made-variant.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { parseImageSize } from '#domain/media/parse-image-size.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { extrasOf } from '../media-fields.ts'

/** The image options of a body, besides the input images. */
type ImageOrder = Omit<ImageTask, 'kind' | 'inputs'>

/** Rejects requests that no provider could serve. Unknown fields are passed on to providers that may know them. */
export function parseImageOrder(body: JsonObject): ImageOrder {
  const prompt = promptOf(body.prompt)
  const count = countOf(body.n)
  refuseBase64(body.response_format)
  return { prompt, count, quality: wordOf(body, 'quality'), ...formOf(body) }
}

function promptOf(prompt: JsonValue | undefined): string {
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt
  throw new GatewayError('missingPrompt', {
    message: 'The field `prompt` is required: a string that describes the image.',
  })
}

/** Forms send numbers as digits. */
function countOf(stated: JsonValue | undefined): number {
  if (stated === undefined || stated === null || stated === '') return 1
  const count = typeof stated === 'string' && /^-?\d+(?:\.\d+)?$/.test(stated) ? Number(stated) : stated
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 1) return count
  throw new GatewayError('invalidN', { message: '`n` must be a positive integer.' })
}

function refuseBase64(format: JsonValue | undefined): void {
  if (format === undefined || format === null || format === 'url') return
  throw new GatewayError('unsupportedResponseFormat', {
    message: 'Images are always returned as URLs. Omit `response_format` or set it to "url".',
  })
}

type Form = Pick<ImageTask, 'size' | 'aspectRatio' | 'extras'>

function formOf(body: JsonObject): Form {
  const extras = statedExtras(body)
  const aspectRatio = wordOf(body, 'aspect_ratio')
  wordOf(body, 'resolution')
  const stated = parseImageSize(wordOf(body, 'size') ?? '')
  switch (stated.kind) {
    case 'pixels':
      return { size: stated.size, aspectRatio, extras }
    case 'ratio':
      return { size: null, aspectRatio: aspectRatio ?? stated.ratio, extras }
    case 'resolution':
      return { size: null, aspectRatio, extras: { resolution: stated.resolution, ...extras } }
    case 'other':
      return { size: null, aspectRatio, extras: { ...extras, size: stated.text } }
    case 'auto':
      return { size: null, aspectRatio, extras }
    case 'impossible':
      throw malformed('`size` must be "auto" or WIDTHxHEIGHT, such as "1024x1024", with each side from 1 to 16384.')
  }
}

/** A keyword for a size or similar option. Keywords select prices and are recorded. */
function wordOf(body: JsonObject, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && isVariantWord(value)) return value
  throw malformed(`\`${name}\` must be a short string, such as "auto".`)
}

/** Fields that are read explicitly. */
const placed = new Set([
  'prompt',
  'n',
  'size',
  'aspect_ratio',
  'quality',
  'response_format',
  'partial_images',
  'image',
  'image[]',
  'images',
  'image_url',
  'input_references',
  'mask',
])

function statedExtras(body: JsonObject): JsonObject {
  const stated = Object.entries(extrasOf(body, placed)).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(stated)
}
