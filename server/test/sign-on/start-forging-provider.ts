import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An ID token before it is signed. */
export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** An OpenID Connect provider on loopback that answers with whatever token the test makes. */
export interface ForgingProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** A correct token for a sign-in with this nonce. */
  partsFor(person: { subject: string; email: string; nonce: string }): TokenParts
  /** Signs with the key that the provider publishes, or with another one. */
  sign(parts: TokenParts, key?: KeyObject): string
  /** The token of the next answer. */
  setToken(token: string): void
  close(): Promise<void>
}

const clientId = 'weir'
const clientSecret = 'a secret that is long enough for a signature'
const keyId = 'key-1'

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  let token = ''
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers(path)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers = (path: string): object => {
    if (path === '/jwks')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] }
    if (path === '/token') return { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    }
  }
  return {
    issuer,
    clientId,
    clientSecret,
    partsFor: ({ subject, email, nonce }) => {
      const nowS = Math.floor(Date.now() / 1_000)
      return {
        header: { alg: 'RS256', kid: keyId },
        claims: {
          iss: issuer,
          aud: clientId,
          sub: subject,
          email,
          email_verified: true,
          nonce,
          iat: nowS,
          exp: nowS + 60,
        },
      }
    },
    sign: (parts, key = privateKey) => {
      const text = textOf(parts)
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
    },
    setToken: (next) => {
      token = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A token that is signed with a shared secret. */
export function signWithSecret(parts: TokenParts, secret: string): string {
  const text = textOf({ ...parts, header: { ...parts.header, alg: 'HS256' } })
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

export function unsigned(parts: TokenParts): string {
  return `${textOf({ ...parts, header: { alg: 'none' } })}.`
}

function textOf({ header, claims }: TokenParts): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
