import type { Principal } from '#domain/access/principal.ts'
import type { Arrival } from '../types.ts'
import type { Authenticate } from './authenticate.ts'
import { refuseCredential } from './refuse-credential.ts'

/** Who sends an inference request, and whether this kind of key may use its endpoint. */
export function createAuthenticateArrival(authenticate: Authenticate): (arrival: Arrival) => Promise<Principal> {
  return async ({ authorization, apiKey, clientIp, receivedAtMs, access }) => {
    const principal = await authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs })
    refuseCredential(access, principal)
    return principal
  }
}
