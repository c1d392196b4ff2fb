import type { FormFile } from '#domain/media/media-file.ts'
import type { MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { parseImageUrl } from '../image-url.ts'
import { imageCall } from './image-call.ts'

/** Parses an image request in JSON. */
export function parseImages(body: JsonObject): DialectCall {
  const { model } = body
  if (model === undefined || model === null) {
    throw new GatewayError('missingRequiredField', {
      message: 'The field `model` is required. GET /v1/images/models lists image models.',
    })
  }
  return imageCall(
    body,
    modelNameOf(model),
    inputFields.flatMap((name) => inputsIn(body[name], name)),
  )
}

/** Parses an image edit request as a form. Without a model, the operator's default is used. */
export function parseImageEdit(body: JsonObject, files: readonly FormFile[]): DialectCall {
  if (body.mask !== undefined || files.some(({ field }) => field === 'mask')) {
    throw new GatewayError('maskNotSupported', {
      message: 'Masks are not supported. Remove `mask` and describe the edit in the prompt.',
    })
  }
  const call = imageCall(withPlainValues(body), modelNameOf(body.model ?? ''), files.map(inputOf))
  if (files.length > 0) return call
  throw new GatewayError('missingImage', {
    message: 'Send at least one image to edit, as a file in the `image` field.',
  })
}

function modelNameOf(model: JsonValue): string {
  if (typeof model === 'string') return model
  throw malformed('`model` must be a string.')
}

/** The fields in which providers accept input images. */
const inputFields = ['image', 'images', 'image_url', 'input_references'] as const

/** A URL or a data URI, alone or in an array, plain or as a content part. */
function inputsIn(value: JsonValue | undefined, place: string): MediaInput[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => inputsIn(item, `${place}[${index}]`))
  if (typeof value === 'string') return [parseImageUrl(value, `\`${place}\``)]
  const url = isJsonObject(value) ? (value.url ?? value.image_url) : undefined
  if (url !== undefined && url !== null && !Array.isArray(url)) return inputsIn(url, `${place}.url`)
  throw new GatewayError('invalidImageUrl', {
    message: `\`${place}\` must be an https:// URL or a data URI such as data:image/png;base64,…`,
  })
}

/** The file's type was detected from its first bytes, never from its name. */
function inputOf(file: FormFile): MediaInput {
  if (imageTypes.has(file.mediaType)) return { kind: 'file', file }
  throw new GatewayError('invalidImageType', {
    message: `The file "${file.name.slice(0, 100)}" is not a PNG, JPEG, WebP or GIF image.`,
  })
}

const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** A form contains only strings, but upstreams with JSON APIs need numbers and booleans. */
function withPlainValues(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, plainValue(name, value)]))
}

function plainValue(name: string, value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || texts.has(name)) return value
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value
}

const texts: ReadonlySet<string> = new Set(['model', 'prompt', 'negative_prompt', 'size', 'quality', 'user'])
