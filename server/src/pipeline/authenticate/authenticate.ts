import { hash } from 'node:crypto'
import { judgeClientIp } from '#domain/access/judge-client-ip.ts'
import { judgeKey } from '#domain/access/judge-key.ts'
import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Arrival } from '../types.ts'
import type { PrincipalCache } from './principal-cache.ts'
import { type CredentialHeaders, readCredential } from './read-credential.ts'
import { refuseCredential } from './refuse-credential.ts'
import { unauthenticated } from './unauthenticated.ts'

export interface AuthenticateRequest extends CredentialHeaders {
  clientIp: string | null
  nowMs: number
}

export type Authenticate = (request: AuthenticateRequest) => Promise<Principal>

/** Who is calling. Every refusal of a key is the same 401; only a suspended account learns its reason. */
export function createAuthenticate({ cache }: { cache: Pick<PrincipalCache, 'find'> }): Authenticate {
  return async (request) => {
    const principal = await cache.find(hash('sha256', readCredential(request)))
    if (principal === null) throw unauthenticated('unknown key')
    // The address is judged before the account, so that a stolen key used elsewhere learns nothing about its owner.
    if (!judgeClientIp(principal.allowedCidrs, request.clientIp)) throw unauthenticated('address not allowed')
    const verdict = judgeKey(principal, request.nowMs)
    if (verdict.allowed) return principal
    if (verdict.refusal === 'unauthenticated') throw unauthenticated(verdict.inside)
    throw new GatewayError(verdict.refusal, {
      message: 'This account is suspended. Please contact support.',
      inside: verdict.inside,
    })
  }
}

/** Who sends an inference request, and whether this kind of key may use its endpoint. */
export function createAuthenticateArrival(authenticate: Authenticate): (arrival: Arrival) => Promise<Principal> {
  return async ({ authorization, apiKey, clientIp, receivedAtMs, access }) => {
    const principal = await authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs })
    refuseCredential(access, principal)
    return principal
  }
}
