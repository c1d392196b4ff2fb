import { isFreshSession } from '#domain/access/is-fresh-session.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { EndpointRequest } from './endpoint.ts'

/**
 * Refuses what could take an account over to a session that was begun long ago: a browser that was left open, or a
 * stolen cookie. Keys are not asked; what they may do is in the access table.
 */
export function requireFreshSession({ client, nowMs }: Pick<EndpointRequest, 'client' | 'nowMs'>): void {
  if (client?.kind !== 'session' || isFreshSession(client.person, nowMs)) return
  throw new GatewayError('staleSession', {
    message: 'This action requires a recent sign-in (last 10 minutes). Sign in again and repeat the request.',
  })
}
