import { Type } from 'typebox'
import type { ImageTokens, TokenImage } from '#control/media/image-tokens.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { BlobRange, BlobStore } from '#ports/blob-store.ts'
import type { Endpoint, EndpointReply, EndpointRequest } from '../endpoint.ts'
import { parseRange, rangeHeaders } from '../byte-range.ts'

interface ProxyEndpointDeps {
  readonly tokens: ImageTokens
  readonly blobs: BlobStore
}

/** Serves images to clients with a valid token. */
export function proxyEndpoint(deps: ProxyEndpointDeps): Endpoint {
  return {
    name: 'getImage',
    method: 'GET',
    alsoHead: true,
    paths: ['/v1/images/proxy/:token'],
    tag: 'Inference',
    summary: 'Download a generated image',
    description: 'Images are available for one hour.',
    access: 'images.fetch',
    reply: {
      status: 200,
      description: 'The image file, or the requested byte range. Images are available for one hour.',
      schema: Type.String({ format: 'binary' }),
      contentTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    },
    errors: ['notFound'],
    handle: (request) => answer(deps, request),
  }
}

async function answer({ tokens, blobs }: ProxyEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const image = tokens.read(request.params['token'] ?? '', request.nowMs)
  const head = image === null ? null : await blobs.head(image.key)
  if (image === null || head === null) throw gone()
  const headers = headersOf(image, request.nowMs)
  if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers }
  const ifRange = request.headers['if-range'] ?? headers.etag
  const range = ifRange === headers.etag ? parseRange(request.headers.range, head.byteCount) : null
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${head.byteCount}` } }
  }
  return {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...rangeHeaders(head.byteCount, range) },
    stream: { contentType: image.type, chunks: bytesOf(blobs, image.key, range) },
  }
}

async function* bytesOf(blobs: BlobStore, key: string, range: BlobRange | null): AsyncGenerator<Buffer> {
  const blob = await blobs.open(key, range ?? undefined)
  // The blob may have been deleted since its size was read, but no byte has been sent yet.
  if (blob === null) throw gone()
  yield* blob.bytes
}

/** One response for every invalid token, so that it reveals nothing. */
function gone(): GatewayError {
  return new GatewayError('notFound', { message: 'Image not found or expired. Images are kept for one hour.' })
}

/** Whatever the bytes contain, a browser that opens them must neither sniff nor execute them. */
function headersOf({ key, expiresAtMs }: TokenImage, nowMs: number) {
  return {
    etag: `"${key.slice(key.lastIndexOf('/') + 1)}"`,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${Math.floor((expiresAtMs - nowMs) / 1_000)}, immutable`,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  }
}
