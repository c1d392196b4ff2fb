import type { AccessRow } from '#domain/access/access-row.ts'
import type { Client } from '#domain/access/client.ts'
import { operatesForMs } from '#domain/access/is-fresh-session.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { requireFreshSession } from './require-fresh-session.ts'

/**
 * An operator's session can do more than any other, so it counts for a working day only, and each change requires a
 * fresh one. Operator keys have no session.
 */
export function requireOperatorSession(
  { operators }: AccessRow,
  { client, method, nowMs }: { client: Client | null; method: string; nowMs: number },
): void {
  if (operators === undefined || client?.kind !== 'session') return
  if (method !== 'GET') return requireFreshSession({ client, nowMs })
  if (nowMs - client.person.signedInAtMs <= operatesForMs) return
  throw new GatewayError('staleSession', {
    message: 'Operators sign in again after 8 hours. Sign in again and repeat the request.',
  })
}
