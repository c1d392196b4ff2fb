import { createHmac, timingSafeEqual } from 'node:crypto'
import { createHourlyBlobs } from '#domain/media/hourly-blobs.ts'
import { deriveKey } from '#lib/derive-key.ts'
import type { ImageType } from '#lib/sniff-media.ts'

/** The image that a token refers to. */
export interface TokenImage {
  /** The key in the blob store. */
  readonly key: string
  readonly type: ImageType
  readonly expiresAtMs: number
}

export interface ImageTokens {
  issue(image: TokenImage): string
  /** Null for a token that is invalid or expired. */
  read(token: string, nowMs: number): TokenImage | null
}

export const imageLifeMs = 3_600_000

/**
 * Tokens are 60 bytes as base64url: version (1), content type (1), hour of the blob (4), its id (16), expiry in
 * milliseconds (6), and an HMAC-SHA256 over all of that. Sixty bytes fill their eighty characters to the last bit, so
 * no two strings mean the same.
 */
export function createImageTokens(secrets: { secret: string; previousSecrets: readonly string[] }): ImageTokens {
  const signingKey = keyFor(secrets.secret)
  const keys = [signingKey, ...secrets.previousSecrets.map(keyFor)]
  return {
    issue: (image) => {
      const said = encode(image)
      return Buffer.concat([said, macOf(said, signingKey)]).toString('base64url')
    },
    read: (token, nowMs) => {
      if (!form.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      const [said, mac] = [bytes.subarray(0, saidBytes), bytes.subarray(saidBytes)]
      // Every key is tried, so that the timing does not tell which key matches.
      const fits = keys.map((key) => timingSafeEqual(macOf(said, key), mac))
      const image = fits.includes(true) ? decode(said) : null
      return image !== null && nowMs < image.expiresAtMs ? image : null
    },
  }
}

/** The blob key of an image created now. */
export function imageKeyAt(nowMs: number, id: string): string {
  return imageBlobs.keyAt(nowMs, id)
}

export const imageBlobs = createHourlyBlobs('images/', /^[0-9a-f-]{36}$/)

const hourMs = 3_600_000
const version = 1
const saidBytes = 28
const form = /^[A-Za-z0-9_-]{80}$/
// Types are encoded by position, so that issued tokens stay valid.
const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const satisfies readonly ImageType[]

function keyFor(secret: string): Buffer {
  return deriveKey(secret, 'image tokens')
}

function encode({ key, type, expiresAtMs }: TokenImage): Buffer {
  const [id, startMs] = [imageBlobs.restOf(key), imageBlobs.hourMsOf(key)]
  if (id === null || startMs === null) throw new TypeError(`${key} is not an image key`)
  const said = Buffer.alloc(saidBytes)
  said.writeUInt8(version, 0)
  said.writeUInt8(types.indexOf(type), 1)
  said.writeUInt32BE(startMs / hourMs, 2)
  said.write(id.replaceAll('-', ''), 6, 'hex')
  said.writeUIntBE(expiresAtMs, 22, 6)
  return said
}

function decode(said: Buffer): TokenImage | null {
  const type = types[said.readUInt8(1)]
  if (said.readUInt8(0) !== version || type === undefined) return null
  const id = said.toString('hex', 6, 22).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { key: imageKeyAt(said.readUInt32BE(2) * hourMs, id), type, expiresAtMs: said.readUIntBE(22, 6) }
}

function macOf(said: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(said).digest()
}
