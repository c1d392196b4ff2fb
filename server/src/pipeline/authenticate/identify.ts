import type { Client } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { CustomerViews } from '#ports/customer-views.ts'
import type { Sessions } from '#ports/people.ts'
import type { Authenticate, AuthenticateRequest } from './authenticate.ts'
import { openView, viewEnded } from './open-view.ts'

export interface IdentifyRequest extends AuthenticateRequest {
  cookie: string | undefined
  /** Sent by the tab in which an operator views the console as a customer. */
  viewId: string | undefined
}

export type Identify = (request: IdentifyRequest) => Promise<Client | null>

/**
 * Identifies the sender of a request, by key or by session. Null if neither was sent. A key takes precedence: an
 * invalid key is rejected even if a session was sent too. A view needs a session.
 */
export function createIdentify(deps: {
  authenticate: Authenticate
  sessions: Sessions
  views: Pick<CustomerViews, 'findOpen'>
}): Identify {
  return async (request) => {
    if (request.authorization !== undefined || request.apiKey !== undefined) {
      if (request.viewId !== undefined) throw viewEnded()
      return { kind: 'key', principal: await deps.authenticate(request) }
    }
    const person = request.cookie === undefined ? null : await deps.sessions.findPerson(request.cookie)
    if (person === null) return null
    if (person.suspended) {
      throw new GatewayError('accountSuspended', { message: 'This account is suspended. Please contact support.' })
    }
    const { viewId, nowMs } = request
    if (viewId !== undefined) return openView(deps.views, { operator: person, viewId, nowMs })
    return { kind: 'session', person, view: null }
  }
}
