import { createHmac } from 'node:crypto'

/** A token that says these things, signed with a secret that both sides know (RFC 7519, HS256). */
export function signJsonWebToken(claims: Readonly<Record<string, string | number>>, secret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
