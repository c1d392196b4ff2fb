import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { type ImageEnds, judgeImage, tailBytes } from '#domain/media/judge-image.ts'
import type { MadeImage } from '#domain/media/media-result.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { BlobContent, BlobStore } from '#ports/blob-store.ts'
import type { Behalf, ImagePublisher, RemoteFiles, StoredImage, TemporaryFolders } from '#ports/media.ts'
import { imageEndsOf } from './image-ends.ts'
import { imageKeyAt, imageLifeMs, type ImageTokens } from './image-tokens.ts'

interface ImagePublisherDeps {
  readonly blobs: BlobStore
  readonly remote: RemoteFiles
  readonly tokens: ImageTokens
  readonly folders: TemporaryFolders
  readonly nowMs: () => number
}

const bytesMax = 50 * 1_024 * 1_024
const timeoutMs = 60_000

/** Publishes images that upstreams made: checks and stores them, and creates a token. Only valid images are stored. */
export function createImagePublisher(deps: ImagePublisherDeps): ImagePublisher {
  return {
    async host(image, on) {
      if (image.kind === 'url') return hostRemote(deps, image.url, on)
      const bytes = image.kind === 'bytes' ? image.bytes : bytesOf(image)
      if (bytes.length > bytesMax) throw failed('the image is too large')
      const ends = { head: bytes, tail: bytes.subarray(-tailBytes), byteCount: bytes.length }
      return keep(deps, ends, bytes)
    },
  }
}

// Streams the image, because many may be processed at once.
async function hostRemote(deps: ImagePublisherDeps, url: string, on: Behalf): Promise<StoredImage> {
  const folder = await deps.folders.make().catch(asFailure('no temporary storage for an image'))
  try {
    const path = join(folder, 'image')
    const got = await deps.remote.download(url, { ...on, path, bytesMax, timeoutMs })
    if (!got.ok) throw failed(`the image could not be fetched: ${got.why}`)
    return await keep(deps, await imageEndsOf(path, got.byteCount), createReadStream(path))
  } finally {
    await deps.folders.remove(folder)
  }
}

async function keep(deps: ImagePublisherDeps, ends: ImageEnds, bytes: BlobContent['bytes']): Promise<StoredImage> {
  const verdict = judgeImage(ends)
  if (!verdict.isImage) throw failed(`the upstream returned ${verdict.why}`)
  const { type, size } = verdict
  const nowMs = deps.nowMs()
  const key = imageKeyAt(nowMs, newUuid(nowMs))
  await deps.blobs
    .put(key, { bytes, byteCount: ends.byteCount, contentType: type })
    .catch(asFailure('the image could not be stored'))
  return { token: deps.tokens.issue({ key, type, expiresAtMs: nowMs + imageLifeMs }), ...size }
}

function bytesOf({ base64 }: Extract<MadeImage, { kind: 'base64' }>): Buffer {
  return Buffer.from(base64, 'base64')
}

function failed(inside: string, cause?: unknown): GatewayError {
  const message = 'The image was generated but could not be stored. Nothing was charged. Retry.'
  return new GatewayError('pipelineError', { message, inside, cause })
}

function asFailure(what: string): (error: unknown) => never {
  return (error) => {
    throw failed(`${what}: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
