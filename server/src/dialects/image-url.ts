import { GatewayError } from '#errors/gateway-error.ts'
import { type ImageType, sniffBytes, sniffImage } from '#lib/sniff-media.ts'

/** An image in a body: a URL or the data. */
type NamedImage =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: ImageType; readonly base64: string }

/** Rejects a value that is neither an https URL nor a data URI. The format of the image follows from its bytes. */
export function parseImageUrl(url: string, place: string): NamedImage {
  if (url.slice(0, 5).toLowerCase() === 'data:') return parseDataUri(url, place)
  if (isRemote(url, 'https')) return { kind: 'url', url }
  const why = /^http:/i.test(url) ? 'is an http:// URL' : 'is not a URL'
  throw new GatewayError('invalidImageUrl', {
    message: `${place} ${why}. Send an https:// URL, or the image itself as data:image/png;base64,…`,
  })
}

function parseDataUri(uri: string, place: string): NamedImage {
  const comma = uri.indexOf(',')
  // The part before the comma is short. If it is longer, the string is not a data URI and is not searched.
  const head = comma === -1 ? '' : uri.slice(0, Math.min(comma, headCharactersMax))
  if (!/;base64$/i.test(head)) {
    throw new GatewayError('invalidImageUrl', {
      message: `${place} must be a base64 data URI, such as data:image/png;base64,…`,
    })
  }
  const base64 = uri.slice(comma + 1)
  const mediaType = sniffImage(Buffer.from(base64.slice(0, sniffCharacters), 'base64'))
  if (mediaType === undefined) {
    throw new GatewayError('invalidImageType', { message: `${place} is not a PNG, JPEG, WebP or GIF image.` })
  }
  return { kind: 'data', mediaType, base64 }
}

const headCharactersMax = 256
const sniffCharacters = Math.ceil(sniffBytes / 3) * 4

/** Like `parseImageUrl`, for an image in a prompt. It also accepts http, because the upstream fetches the image. */
export function checkShownImage(url: string, place: string): void {
  if (!isRemote(url, 'http')) parseImageUrl(url, place)
}

function isRemote(text: string, scheme: 'http' | 'https'): boolean {
  return text.slice(0, scheme.length + 3).toLowerCase() === `${scheme}://` && URL.canParse(text)
}
