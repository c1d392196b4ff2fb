import type { MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { parseImageUrl } from '../image-url.ts'

/** The image that a part names: `{"url": …}`, or the address by itself. */
export function readImage(named: JsonValue | undefined, place: string): MediaInput {
  const url = isJsonObject(named) ? named.url : named
  if (typeof url === 'string') return parseImageUrl(url, place)
  throw new GatewayError('invalidImageUrl', {
    message: `${place} must be an https:// URL, or the image itself as data:image/png;base64,…`,
  })
}
