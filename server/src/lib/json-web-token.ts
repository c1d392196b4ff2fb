import { createHmac, sign } from 'node:crypto'

type Claims = Readonly<Record<string, string | number>>

/** A token with these claims, signed with a shared secret (RFC 7519, HS256). */
export function signJsonWebToken(claims: Claims, secret: string): string {
  const signed = signedPart({ alg: 'HS256', typ: 'JWT' }, claims)
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/**
 * The same with a private key, whose public half the receiver knows by its id (RS256). Throws if the key is invalid.
 */
export function signJsonWebTokenWithKey(claims: Claims, key: { readonly pem: string; readonly id: string }): string {
  const signed = signedPart({ alg: 'RS256', typ: 'JWT', kid: key.id }, claims)
  return `${signed}.${sign('sha256', Buffer.from(signed), key.pem).toString('base64url')}`
}

function signedPart(header: Claims, claims: Claims): string {
  return `${encode(header)}.${encode(claims)}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
