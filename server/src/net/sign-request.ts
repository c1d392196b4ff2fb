import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { UpstreamRequest } from '#ports/upstream.ts'
import { openBody } from './body-stream.ts'

/** Signs at the time of the call, for the region of the request. */
export function createSignRequest(
  nowMs: () => number,
): (request: UpstreamRequest, credential: string, service: string) => Promise<UpstreamRequest> {
  return (request, credential, service) =>
    signRequest(request, credential, { service, region: signingRegionOf(request.origin, credential), nowMs: nowMs() })
}

/**
 * The request with AWS authorization. A credential is `ACCESS_KEY:SECRET` or `ACCESS_KEY:SECRET:SESSION`, with which
 * the request is signed (Signature Version 4), or an API key, which has no colon and is sent as a bearer token. Either
 * may end with `,region=…`; see `signingRegionOf`. The signature covers every header, so nothing may change afterwards.
 */
export async function signRequest(
  request: UpstreamRequest,
  credential: string,
  options: SigningOptions,
): Promise<UpstreamRequest> {
  const [accessKeyId = '', secretAccessKey, ...session] = withoutRegion(credential).split(':')
  if (secretAccessKey === undefined) {
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${accessKeyId}` } }
  }
  const sessionToken = session.join(':')
  const signer = new SignatureV4({
    service: options.service,
    region: options.region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) },
    sha256: NodeSha256,
    // Only S3 and Glacier require the body's hash in a header; the signature always covers it. An existing header is
    // used.
    applyChecksum: false,
  })
  const url = new URL(request.origin + request.path)
  const { body } = request
  const hashed = typeof body === 'string' ? {} : { 'x-amz-content-sha256': await hashOf(body) }
  const signed = await signer.sign(
    {
      method: request.method ?? 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...request.headers, ...hashed, host: url.host },
      ...(typeof body === 'string' ? { body } : {}),
    },
    { signingDate: new Date(options.nowMs) },
  )
  return { ...request, headers: signed.headers }
}

/** The hash of a body whose files are read for the hash, and again while they are sent. */
async function hashOf(pieces: Exclude<UpstreamRequest['body'], string>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of openBody(pieces).stream) hash.update(chunk)
  return hash.digest('hex')
}

interface SigningOptions {
  readonly service: string
  readonly region: string
  readonly nowMs: number
}

/**
 * The region of a signature: the region in the host name, which AWS itself uses; for private endpoints and proxies the
 * region at the end of the credential; otherwise AWS' default.
 */
export function signingRegionOf(origin: string, credential: string): string {
  return hostRegion.exec(new URL(origin).hostname)?.[1] ?? regionSuffix.exec(credential)?.[1] ?? 'us-east-1'
}

const hostRegion = /\.([a-z]{2,}(?:-[a-z]+)+-\d+)\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws)$/
const regionSuffix = /,region=([a-z0-9-]+)$/

function withoutRegion(credential: string): string {
  return credential.replace(regionSuffix, '')
}

/** Node's hash with the signer's interface. */
class NodeSha256 {
  readonly #secret: SourceData | undefined
  #hash: Hash | Hmac

  constructor(secret?: SourceData) {
    this.#secret = secret
    this.#hash = this.#begin()
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }

  reset(): void {
    this.#hash = this.#begin()
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(this.#secret))
  }
}

type SourceData = string | ArrayBuffer | ArrayBufferView

function bytesOf(data: SourceData): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data)
}
