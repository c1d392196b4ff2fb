import { GatewayError } from '#errors/gateway-error.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { EndpointReply, EndpointRequest } from './endpoint.ts'
import { parseRange, rangeHeaders } from './byte-range.ts'

/** The bytes of a blob, or the requested range; null if there is no such blob. */
export async function replyWithBlob(
  blobs: BlobStore,
  key: string,
  { headers: { range: asked } }: Pick<EndpointRequest, 'headers'>,
): Promise<EndpointReply | null> {
  const head = await blobs.head(key)
  if (head === null) return null
  const range = parseRange(asked, head.byteCount)
  // HTTP allows the whole content for an invalid or multiple range, but the client would not expect it.
  if (range === 'unsatisfiable' || (range === null && asked !== undefined)) {
    throw new GatewayError('rangeNotSatisfiable', {
      message: `Invalid range: the video has ${head.byteCount} bytes.`,
      headers: { 'content-range': `bytes */${head.byteCount}` },
    })
  }
  const blob = await blobs.open(key, range ?? undefined)
  if (blob === null) return null
  return {
    status: range === null ? 200 : 206,
    headers: {
      'accept-ranges': 'bytes',
      // The console has the same origin: a browser that opens the bytes must neither sniff nor execute them.
      'content-security-policy': "default-src 'none'; media-src 'self'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
      ...rangeHeaders(head.byteCount, range),
    },
    stream: { contentType: head.contentType, chunks: blob.bytes },
  }
}
