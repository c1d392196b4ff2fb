import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A key with a certificate that it signed itself, like those of most SAML providers. */
export interface SelfSigned {
  readonly privateKey: string
  /** PEM. */
  readonly certificate: string
  readonly endsAtMs: number
}

const dayMs = 86_400_000

export function selfSigned({
  kind = 'rsa',
  bits = 2_048,
  days = 365,
}: {
  kind?: 'rsa' | 'ec'
  bits?: number
  days?: number
} = {}): SelfSigned {
  const pair =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // X.509 counts in seconds.
  const endsAtMs = Math.floor(Date.now() / 1_000) * 1_000 + days * dayMs
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificateOf({ ...pair, kind, endsAtMs }),
    endsAtMs,
  }
}

const sha256WithRsa = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const sha256WithEcdsa = Buffer.from('300a06082a8648ce3d040302', 'hex')

/** The DER of RFC 5280, as far as a version 3 certificate without extensions has it. */
function certificateOf(pair: { publicKey: KeyObject; privateKey: KeyObject; kind: string; endsAtMs: number }): string {
  const algorithm = pair.kind === 'rsa' ? sha256WithRsa : sha256WithEcdsa
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('identity provider')))
  const name = der(0x30, der(0x31, commonName))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, time(pair.endsAtMs - 400 * dayMs), time(pair.endsAtMs)),
    name,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, pair.privateKey)])
  const base64 = der(0x30, body, algorithm, der(0x03, signature)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})(?!$)/g, '$1\n')}\n-----END CERTIFICATE-----`
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
  return der(0x18, Buffer.from(`${digits}Z`))
}
