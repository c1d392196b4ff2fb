import type { VideoOrder } from '#domain/video/video-order.ts'
import { parseOrderMedia } from '#domain/video/order-media.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { extrasOf } from '../media-fields.ts'

/** Parses the body of a submit. Its media URLs and its video's length were checked before (`source_duration_ms`). */
export function parseVideoOrder(body: JsonObject): VideoOrder {
  const prompt = requiredText(body, 'prompt')
  const { firstFrame, lastFrame, references, inputVideo } = parseOrderMedia(body)
  return {
    prompt,
    durationS: wholeSeconds(body.duration),
    resolution: optionalText(body, 'resolution'),
    aspectRatio: optionalText(body, 'aspect_ratio'),
    size: sizeOf(body.size),
    audio: optionalBoolean(body, 'generate_audio'),
    watermark: optionalBoolean(body, 'watermark') ?? false,
    seed: seedOf(body.seed),
    firstFrame,
    lastFrame,
    references,
    inputVideo: inputVideoOf(inputVideo, body.input_video),
    extras: extrasOf(body, readFields),
  }
}

const readFields = new Set([
  'prompt',
  'duration',
  'resolution',
  'aspect_ratio',
  'size',
  'generate_audio',
  'watermark',
  'frame_images',
  'input_references',
  'input_video',
  'seed',
  'callback_url',
])

const promptMax = 20_000
const durationMaxS = 3_600

function requiredText(body: JsonObject, name: string): string {
  const value = body[name]
  if (value === undefined || value === null || value === '') {
    throw new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
  }
  if (typeof value !== 'string') throw malformed(`\`${name}\` must be a string.`)
  if (value.length > promptMax) throw malformed(`\`${name}\` must be at most ${promptMax} characters.`)
  return value
}

function optionalText(body: JsonObject, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value === '') throw malformed(`\`${name}\` must be a string.`)
  return value
}

function optionalBoolean(body: JsonObject, name: string): boolean | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw malformed(`\`${name}\` must be true or false.`)
  return value
}

function wholeSeconds(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= durationMaxS) return value
  throw malformed('`duration` must be an integer (seconds).')
}

function seedOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw malformed('`seed` must be a non-negative integer.')
}

const sizeForm = /^(\d{2,5})[x*:](\d{2,5})$/

function sizeOf(value: JsonValue | undefined): VideoOrder['size'] {
  if (value === undefined || value === null) return null
  const found = typeof value === 'string' ? sizeForm.exec(value) : null
  if (found === null) throw malformed('`size` must be WIDTHxHEIGHT, such as "1280x720".')
  return { width: Number(found[1]), height: Number(found[2]) }
}

function inputVideoOf(url: string | null, value: JsonValue | undefined): VideoOrder['inputVideo'] {
  if (url === null) return null
  const durationMs = isJsonObject(value) ? value.source_duration_ms : undefined
  if (typeof durationMs !== 'number' || durationMs <= 0) {
    throw malformed('`input_video` must be an MP4 or MOV file with a readable duration.')
  }
  return { url, durationMs }
}
