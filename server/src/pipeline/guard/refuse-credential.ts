import { accessRowOf } from '#domain/access/access-table.ts'
import { judgeCredential } from '#domain/access/judge-access.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { GuardRequest } from './guard-request.ts'

/** Whether this kind of key may use the endpoint at all. */
export function refuseCredential({ arrival, principal }: GuardRequest): void {
  const verdict = judgeCredential(accessRowOf(arrival.access), { kind: 'key', principal })
  if (!verdict.allowed) throw new GatewayError('forbidden', { message: verdict.message })
}
