import type { MediaFile } from '#domain/media/media-file.ts'
import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { MediaInput } from '#domain/media/media-task.ts'
import { fetchImage, type Step, type StepOutcome } from '../exchange-script.ts'

/** An image for upstreams that accept URLs: its own URL if it has one, otherwise a data URI. */
export function imageAddress(input: MediaInput): MediaJson {
  return input.kind === 'url' ? input.url : base64Of(input, 'data-uri')
}

/** The same for upstreams that accept plain base64 besides URLs. */
export function addressOrBase64(input: MediaInput): MediaJson {
  return input.kind === 'url' ? input.url : base64Of(input, 'plain')
}

/** For upstreams that accept only base64. */
export function* imageBase64(input: MediaInput): Generator<Step, MediaJson, StepOutcome> {
  if (input.kind !== 'url') return base64Of(input, 'plain')
  return new FileText(yield* fetchImage(input.url))
}

/** For upstreams that accept files in forms. */
export function* imageFile(input: MediaInput): Generator<Step, MediaFile, StepOutcome> {
  if (input.kind === 'file') return input.file
  if (input.kind === 'url') return yield* fetchImage(input.url)
  const bytes = Buffer.from(input.base64, 'base64')
  return {
    name: 'image',
    mediaType: input.mediaType,
    byteCount: bytes.length,
    content: { kind: 'memory', bytes },
  }
}

function base64Of(input: Exclude<MediaInput, { kind: 'url' }>, form: 'data-uri' | 'plain'): MediaJson {
  const mediaType = input.kind === 'file' ? input.file.mediaType : input.mediaType
  const prefix = form === 'plain' ? '' : `data:${mediaType};base64,`
  return input.kind === 'file' ? new FileText(input.file, prefix) : prefix + input.base64
}
