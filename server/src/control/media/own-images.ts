import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '#ports/blob-store.ts'
import type { Download, DownloadOptions, RemoteFiles } from '#ports/media.ts'
import type { ImageTokens } from './image-tokens.ts'

interface OwnImagesDeps {
  /** The public URL of this gateway, or null if it is not configured. */
  readonly ownUrl: string | null
  readonly tokens: ImageTokens
  readonly blobs: BlobStore
  readonly nowMs: () => number
  readonly others: RemoteFiles
}

/**
 * Clients send us URLs of images that the gateway created, to have them edited. These are read from the blob store,
 * because our own address may be in a network from which downloads are blocked.
 */
export function createOwnImages({ ownUrl, tokens, blobs, nowMs, others }: OwnImagesDeps): RemoteFiles {
  const prefixes =
    ownUrl === null ? [] : ['/v1', '/api/v1', '/openrouter/v1'].map((mount) => `${ownUrl}${mount}/images/proxy/`)
  return {
    download: async (url, to) => {
      const prefix = prefixes.find((each) => url.startsWith(each))
      if (prefix === undefined) return others.download(url, to)
      const image = tokens.read(url.slice(prefix.length), nowMs())
      return image === null ? gone : copy(blobs, image.key, to)
    },
  }
}

async function copy(blobs: BlobStore, key: string, { path, bytesMax, signal }: DownloadOptions): Promise<Download> {
  const head = await blobs.head(key)
  if (head === null) return gone
  if (head.byteCount > bytesMax) return { ok: false, reason: 'too-large', why: 'too large' }
  const blob = await blobs.open(key)
  if (blob === null) return gone
  await pipeline(blob.bytes, createWriteStream(path, { mode: 0o600 }), { signal })
  return { ok: true, byteCount: head.byteCount }
}

const gone: Download = { ok: false, reason: 'failed', why: 'an expired image of this gateway' }
