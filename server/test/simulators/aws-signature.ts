import { createHash, createHmac } from 'node:crypto'
import type { MediaCall } from './start-media-upstream.ts'

/** Whether a request has a valid signature (AWS Signature Version 4) for its bytes and this secret. */
export function isSigned({ method, path, headers, bytes }: MediaCall, secret: string): boolean {
  const [, scope = '', signedHeaders = '', signature = ''] = form.exec(headers.authorization ?? '') ?? []
  const [, day = '', region = '', service = ''] = scope.split('/')
  const [pathname = '', query = ''] = path.split('?')
  const canonical = [
    method,
    // Every service but S3 encodes the path twice.
    pathname.split('/').map(encodeURIComponent).join('/'),
    query,
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(bytes),
  ].join('\n')
  const time = String(headers['x-amz-date'])
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${region}/${service}/aws4_request`, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (parent, part) => hmac(parent, part),
    Buffer.from(`AWS4${secret}`),
  )
  return signature !== '' && time.startsWith(day) && hmac(key, toSign).toString('hex') === signature
}

const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
