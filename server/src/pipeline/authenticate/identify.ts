import type { Client } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Sessions } from '#ports/people.ts'
import type { Authenticate, AuthenticateRequest } from './authenticate.ts'

export interface IdentifyRequest extends AuthenticateRequest {
  cookie: string | undefined
}

export type Identify = (request: IdentifyRequest) => Promise<Client | null>

/**
 * Identifies the sender of a request, by key or by session. Null if neither was sent. A key takes precedence: an
 * invalid key is rejected even if a session was sent too.
 */
export function createIdentify(deps: { authenticate: Authenticate; sessions: Sessions }): Identify {
  return async (request) => {
    if (request.authorization !== undefined || request.apiKey !== undefined) {
      return { kind: 'key', principal: await deps.authenticate(request) }
    }
    const person = request.cookie === undefined ? null : await deps.sessions.findPerson(request.cookie)
    if (person === null) return null
    if (person.suspended) {
      throw new GatewayError('accountSuspended', { message: 'This account is suspended. Please contact support.' })
    }
    return { kind: 'session', person }
  }
}
