import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { BlobRange, BlobStore } from '#ports/blob-store.ts'
import { assertBlobKey } from './blob-key.ts'

export interface S3BlobsOptions {
  readonly bucket: string
  readonly region: string
  /** Null: Amazon. */
  readonly endpoint: string | null
  /** Null: what the machine or its environment says. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  readonly pathStyle: boolean
  /** Keys that are asked for at once; no server gives more than 1,000. */
  readonly pageKeysMax?: number
}

const connectTimeoutMs = 3_000
// For a short request, and between two pieces of a long one.
const answerTimeoutMs = 15_000
const putTimeoutMs = 60_000
const pageKeysMaxDefault = 1_000

/** Blobs in a bucket of Amazon S3 or of whatever speaks like it, for deployments of more than one machine. */
export function createS3Blobs(options: S3BlobsOptions): BlobStore {
  const { bucket: Bucket, pageKeysMax = pageKeysMaxDefault } = options
  // Loaded here and not above, so that those who keep files do not wait 100 ms at every start for it.
  const loaded = import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: new sdk.S3Client(settingsOf(options)) }))
  const named = (key: string): { Bucket: string; Key: string } => {
    assertBlobKey(key)
    return { Bucket, Key: key }
  }
  return {
    async put(key, content) {
      const { sdk, client } = await loaded
      const { bytes, byteCount: ContentLength, contentType: ContentType } = content
      const send = async (Body: Buffer | Readable, abortSignal: AbortSignal): Promise<void> => {
        const command = new sdk.PutObjectCommand({ ...named(key), Body, ContentLength, ContentType })
        await client.send(command, { abortSignal })
      }
      if (Buffer.isBuffer(bytes)) await send(bytes, AbortSignal.timeout(putTimeoutMs))
      else await sendStream(exactly(bytes, ContentLength), send)
    },
    async open(key, range) {
      const { sdk, client } = await loaded
      const input = { ...named(key), ...(range === undefined ? {} : { Range: rangeText(range) }) }
      // Without a time for all of it: the reader may be slow, and silence has a limit of its own.
      const found = await client.send(new sdk.GetObjectCommand(input)).catch(nullIfMissing)
      if (found === null) return null
      const bytes = found.Body
      if (!(bytes instanceof Readable)) throw new TypeError('the blob store returned no stream')
      const whole = Number(/\/(\d+)$/.exec(found.ContentRange ?? '')?.[1] ?? found.ContentLength)
      return { byteCount: whole, contentType: found.ContentType ?? '', bytes }
    },
    async head(key) {
      const { sdk, client } = await loaded
      const found = await client
        .send(new sdk.HeadObjectCommand(named(key)), within(answerTimeoutMs))
        .catch(nullIfMissing)
      return found === null ? null : { byteCount: found.ContentLength ?? 0, contentType: found.ContentType ?? '' }
    },
    async remove(key) {
      const { sdk, client } = await loaded
      await client.send(new sdk.DeleteObjectCommand(named(key)), within(answerTimeoutMs))
    },
    async list(prefix, limit) {
      const { sdk, client } = await loaded
      const keys: string[] = []
      for (let after: string | undefined; keys.length < limit; ) {
        const MaxKeys = Math.min(pageKeysMax, limit - keys.length)
        const input = { Bucket, Prefix: prefix, MaxKeys, ...(after === undefined ? {} : { StartAfter: after }) }
        const page = await client.send(new sdk.ListObjectsV2Command(input), within(answerTimeoutMs))
        keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []))
        if (page.IsTruncated !== true) break
        after = keys.at(-1)
      }
      return keys
    },
    close: async () => (await loaded).client.destroy(),
  }
}

function settingsOf(options: S3BlobsOptions): S3ClientConfig {
  const { region, endpoint, credentials, pathStyle } = options
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      socketTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
    },
    // What others than Amazon offer often knows no checksums in trailers; TLS and the length guard the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}

/**
 * The SDK listens to no stream that fails: unheard, that would end the process, and the request would wait for more.
 */
async function sendStream(
  bytes: AsyncIterable<Buffer>,
  send: (body: Readable, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const body = Readable.from(bytes, { objectMode: false })
  const failed = new AbortController()
  body.on('error', (error) => failed.abort(error))
  try {
    await send(body, AbortSignal.any([failed.signal, AbortSignal.timeout(putTimeoutMs)]))
  } finally {
    body.destroy()
  }
}

/** The bytes, if there are as many as was said; a request with more or fewer would be read as something else. */
async function* exactly(bytes: AsyncIterable<Buffer>, byteCount: number): AsyncGenerator<Buffer> {
  let seen = 0
  const mismatch = (): Error => new Error(`a blob announced with ${byteCount} bytes has ${seen}`)
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > byteCount) throw mismatch()
    yield piece
  }
  if (seen < byteCount) throw mismatch()
}

function rangeText({ first, last }: BlobRange): string {
  return `bytes=${first}-${last}`
}

function within(timeoutMs: number): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(timeoutMs) }
}

/** A bucket that is not there is a fault, a blob that is not there is none. */
function nullIfMissing(error: unknown): null {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NoSuchKey' || name === 'NotFound') return null
  throw error
}
