import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type ExchangeScript, fetchImage } from '../exchange-script.ts'

/** An image as base64, for upstreams that fetch no URLs. */
interface ImageData {
  readonly mediaType: string
  readonly base64: MediaJson
  /** The same image as a data URI. */
  readonly uri: MediaJson
}

export function* imageData(image: MediaInput): ExchangeScript<ImageData> {
  if (image.kind === 'data') {
    const { mediaType, base64 } = image
    return { mediaType, base64, uri: `data:${mediaType};base64,${base64}` }
  }
  const file = image.kind === 'file' ? image.file : yield* fetchImage(image.url)
  if (!known.has(file.mediaType)) {
    throw new GatewayError('invalidImageType', {
      message: 'An image in `input` is not PNG, JPEG, WebP or GIF. Use one of these formats.',
    })
  }
  const { mediaType } = file
  return { mediaType, base64: new FileText(file), uri: new FileText(file, `data:${mediaType};base64,`) }
}

const known = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
