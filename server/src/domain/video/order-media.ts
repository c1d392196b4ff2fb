import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'

/** The media URLs of a video order. */
interface OrderMedia {
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly references: readonly string[]
  readonly inputVideo: string | null
}

const framesMax = 2
const referencesMax = 9

/** Rejects invalid or too many media. It reads the body alone, so it runs before any network access. */
export function parseOrderMedia(body: JsonObject): OrderMedia {
  return {
    ...framesOf(body.frame_images),
    references: referencesOf(body.input_references),
    inputVideo: inputVideoOf(body.input_video),
  }
}

function framesOf(value: JsonValue | undefined): Pick<OrderMedia, 'firstFrame' | 'lastFrame'> {
  const frames = listOf(value, 'frame_images')
  if (frames.length > framesMax) throw malformed('`frame_images` can contain at most one first and one last frame.')
  let firstFrame: string | null = null
  let lastFrame: string | null = null
  for (const [index, frame] of frames.entries()) {
    const type = isJsonObject(frame) ? (stringAt(frame, 'frame_type') ?? positionOf(index)) : positionOf(index)
    const url = urlOf(frame, 'frame_images')
    if (type === 'first_frame' && firstFrame === null) firstFrame = url
    else if (type === 'last_frame' && lastFrame === null) lastFrame = url
    else
      throw malformed(
        'Each entry of `frame_images` must have the frame_type `first_frame` or `last_frame`, each used once.',
      )
  }
  return { firstFrame, lastFrame }
}

function positionOf(index: number): string {
  return index === 0 ? 'first_frame' : 'last_frame'
}

function referencesOf(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null) return []
  const references = listOf(value, 'input_references')
  if (references.length === 0 || references.length > referencesMax) {
    throw malformed(`\`input_references\` must contain 1 to ${referencesMax} images.`)
  }
  return references.map((reference) => urlOf(reference, 'input_references'))
}

function inputVideoOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) throw malformed('`input_video` must be a single video: a URL, or an object with a URL.')
  return urlOf(value, 'input_video')
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw malformed(`\`${name}\` must be an array.`)
  return value
}

function urlOf(value: JsonValue, name: string): string {
  const url = mediaAddress(value)
  if (url === undefined) throw malformed(`\`${name}\` must contain URLs.`)
  return url
}

/** The URL in a field of an order: a plain string, or an object as in chat parts. */
function mediaAddress(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return undefined
  return (
    stringAt(value, 'url') ??
    stringAt(objectAt(value, 'image_url'), 'url') ??
    stringAt(objectAt(value, 'video_url'), 'url')
  )
}
