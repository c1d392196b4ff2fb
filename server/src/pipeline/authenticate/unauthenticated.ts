import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { KeyRefusal } from '../key-refusal.ts'

const message = 'No valid API key was provided. Send your key as "Authorization: Bearer sk-weir-...".'

/** One response for every rejected credential: it never says which part was wrong. */
export function unauthenticated(inside: string): GatewayError {
  return new GatewayError('unauthenticated', { message, inside })
}

/** The same response for a key that exists. `boundBy` is for its owner. */
export function refusedKey(principal: Principal, reason: { inside: string; boundBy: string }): GatewayError {
  return new KeyRefusal(principal, 'unauthenticated', { message, ...reason })
}
