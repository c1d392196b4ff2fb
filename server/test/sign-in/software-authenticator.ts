import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** A passkey in this process, used like by a browser (WebAuthn, ES256, without attestation). */
export interface SoftwareAuthenticator {
  readonly credentialId: Buffer
  /** The result of `navigator.credentials.create()`. */
  register(claims: Claims): object
  /** The result of `navigator.credentials.get()`. A lower counter simulates a copy of an older device. */
  authenticate(claims: Claims & { counter?: number }): object
}

/** The browser's claims about the requesting page. */
export interface Claims {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

export function createSoftwareAuthenticator(credentialId: Buffer = randomBytes(16)): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = credentialId.toString('base64url')
  let uses = 0

  const authenticatorData = (rpId: string, flags: number, rest = Buffer.alloc(0), counter = (uses += 1)): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
  }

  return {
    credentialId,
    register({ challenge, rpId, origin }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const data = authenticatorData(rpId, userPresent | userVerified | hasCredential, credential)
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    },
    authenticate({ challenge, rpId, origin, counter }) {
      const data = authenticatorData(rpId, userPresent | userVerified, undefined, counter)
      const client = clientData('webauthn.get', challenge, origin)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), and the two coordinates. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function cborMap(pairs: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | pairs.length]), ...pairs.flat()])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
}
