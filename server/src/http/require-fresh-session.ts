import { isFreshSession } from '#domain/access/is-fresh-session.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { EndpointRequest } from './endpoint.ts'

/**
 * Rejects sensitive actions from an old session, which may be an abandoned browser or a stolen cookie. It does not
 * apply to keys; the access table decides for keys.
 */
export function requireFreshSession({ client, nowMs }: Pick<EndpointRequest, 'client' | 'nowMs'>): void {
  if (client?.kind !== 'session' || isFreshSession(client.person, nowMs)) return
  throw new GatewayError('staleSession', {
    message: 'This action requires a recent sign-in (last 10 minutes). Sign in again and repeat the request.',
  })
}
