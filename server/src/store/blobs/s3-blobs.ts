import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { BlobRange, BlobStore } from '#ports/blob-store.ts'
import { assertBlobKey } from './blob-key.ts'

export interface S3BlobsOptions {
  readonly bucket: string
  readonly region: string
  /** Null for Amazon. */
  readonly endpoint: string | null
  /** Null for the credentials of the machine or its environment. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  readonly pathStyle: boolean
  /** Keys per listing request. No server returns more than 1,000. */
  readonly pageKeysMax?: number
}

const connectTimeoutMs = 3_000
// Timeout of a short request, and between two chunks of a long response.
const answerTimeoutMs = 15_000
const putTimeoutMs = 60_000
const pageKeysMaxDefault = 1_000

/** Blobs in a bucket of Amazon S3 or a compatible service, for deployments with more than one machine. */
export function createS3Blobs(options: S3BlobsOptions): BlobStore {
  const { bucket: Bucket, pageKeysMax = pageKeysMaxDefault } = options
  // Loaded lazily, so that deployments that store files do not wait 100 ms for it at every start.
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
      // No overall timeout: the reader may be slow, and silence has its own limit.
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
    // Services other than Amazon often do not support checksums in trailers. TLS and the length protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}

/**
 * The SDK does not listen for stream errors: an unhandled error would end the process, and the request would wait for
 * more data.
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

/** Passes the bytes on if their number is as announced. A request with more or fewer bytes would be misread. */
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

/** A missing bucket is a fault; a missing blob is not. */
function nullIfMissing(error: unknown): null {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NoSuchKey' || name === 'NotFound') return null
  throw error
}
