import { hash } from 'node:crypto'
import { type AccessAction, accessRowOf } from '#domain/access/access-table.ts'
import { judgeCredential } from '#domain/access/judge-access.ts'
import { judgeClientIp } from '#domain/access/judge-client-ip.ts'
import { judgeKey } from '#domain/access/judge-key.ts'
import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import { KeyRefusal } from '../key-refusal.ts'
import type { Arrival } from '../types.ts'
import type { PrincipalCache } from './principal-cache.ts'
import { refusedKey, unauthenticated } from './unauthenticated.ts'

export interface AuthenticateRequest extends CredentialHeaders {
  clientIp: string | null
  nowMs: number
}

/** Synchronous, also in its refusal, if the principal is cached. */
export type Authenticate = (request: AuthenticateRequest) => Eventually<Principal>

/**
 * Identifies the sender of a request. Every rejected key gets the same 401; only a suspended account learns its reason.
 */
export function createAuthenticate({ cache }: { cache: Pick<PrincipalCache, 'find'> }): Authenticate {
  return (request) =>
    onceHere(cache.find(hash('sha256', readCredential(request))), (found) => judgePrincipal(found, request))
}

function judgePrincipal(principal: Principal | null, { clientIp, nowMs }: AuthenticateRequest): Principal {
  if (principal === null) throw unauthenticated('unknown key')
  // The address is judged before the account, so that a stolen key used elsewhere reveals nothing about its owner.
  if (!judgeClientIp(principal.allowedCidrs, clientIp)) {
    throw refusedKey(principal, { inside: 'address not allowed', boundBy: 'key_networks' })
  }
  refuseEnded(principal, nowMs)
  return principal
}

/** Rejects a key that is disabled or has expired, and a suspended account. */
export function refuseEnded(principal: Principal, nowMs: number): void {
  const verdict = judgeKey(principal, nowMs)
  if (verdict.allowed) return
  const { refusal, inside, boundBy } = verdict
  if (refusal === 'unauthenticated') throw refusedKey(principal, { inside, boundBy })
  throw new KeyRefusal(principal, refusal, {
    message: 'This account is suspended. Please contact support.',
    inside,
    boundBy,
  })
}

/** Identifies the sender of an inference request, and checks whether this kind of key may use the endpoint. */
export function createAuthenticateArrival(authenticate: Authenticate): (arrival: Arrival) => Eventually<Principal> {
  return ({ authorization, apiKey, clientIp, receivedAtMs, access }) =>
    onceHere(authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs }), (principal) => {
      refuseCredential(access, principal)
      return principal
    })
}

/**
 * Whether this kind of key may use the endpoint at all. Checked before the body is read, which may be many megabytes.
 */
export function refuseCredential(access: AccessAction, principal: Principal): void {
  const verdict = judgeCredential(accessRowOf(access), { kind: 'key', principal })
  if (!verdict.allowed) throw new KeyRefusal(principal, 'forbidden', { message: verdict.message, boundBy: 'key_type' })
}

export interface CredentialHeaders {
  authorization?: string | undefined
  /** Passed only by endpoints whose clients send their key in `x-api-key`. */
  apiKey?: string | undefined
}

const keyPrefix = 'sk-weir-'
const institutionKeyPrefix = 'sk-edu-'
const institutionSessionPrefix = 'edu-sess-'
const customerTokenPrefix = 'cust-weir-'
const secretLengthMin = 20
const secretLengthMax = 200

/**
 * The secret of the request: of a key, or the token of an institution's session or of a customer. A value that cannot
 * be one of ours is rejected here, before anything is hashed or looked up.
 */
export function readCredential({ authorization, apiKey }: CredentialHeaders): string {
  const bearer = authorization === undefined ? undefined : readBearer(authorization)
  const secret = apiKey ?? bearer
  if (secret === undefined) throw unauthenticated('no credential')
  if (bearer !== undefined && bearer !== secret) throw unauthenticated('two different credentials')
  // The key is not looked up: the response is the same whether it exists or not, and reveals nothing.
  if (secret.startsWith(institutionKeyPrefix)) {
    throw new GatewayError('forbidden', {
      message:
        'An institution key cannot be used directly. It must be exchanged for a session: POST /api/edu/request-code, then POST /api/edu/verify.',
    })
  }
  const isOurs =
    secret.startsWith(keyPrefix) ||
    secret.startsWith(institutionSessionPrefix) ||
    secret.startsWith(customerTokenPrefix)
  if (!isOurs || secret.length < secretLengthMin || secret.length > secretLengthMax) {
    throw unauthenticated('malformed key')
  }
  return secret
}

function readBearer(authorization: string): string {
  // The length is limited first, so that no client can make the pattern run for long.
  const secret = authorization.length > 300 ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (secret === undefined) throw unauthenticated('the Authorization header is not a Bearer credential')
  return secret
}
