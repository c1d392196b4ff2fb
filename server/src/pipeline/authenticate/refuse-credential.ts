import { type AccessAction, accessRowOf } from '#domain/access/access-table.ts'
import { judgeCredential } from '#domain/access/judge-access.ts'
import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Whether this kind of key may use the endpoint at all. Asked before anything of a body is read, which may be many megabytes. */
export function refuseCredential(access: AccessAction, principal: Principal): void {
  const verdict = judgeCredential(accessRowOf(access), { kind: 'key', principal })
  if (!verdict.allowed) throw new GatewayError('forbidden', { message: verdict.message })
}
