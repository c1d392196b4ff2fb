import { accessRowOf } from '#domain/access/access-table.ts'
import { type Caller, userOf } from '#domain/access/caller.ts'
import { judgeRole } from '#domain/access/judge-access.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'

/**
 * The organization whose own keys a management key manages: the one it is bound to, as long as the person it acts for is an
 * administrator there. A key of a person is bound to none, even where that person administers one.
 */
export async function openOwnKeys(memberships: Memberships, caller: Caller): Promise<Uuid> {
  const userId = userOf(caller)
  const organizationId = caller.kind === 'key' ? caller.principal.organizationId : null
  if (organizationId === null) {
    throw new GatewayError('forbidden', {
      message: 'This needs a management key that belongs to an organization. Make one in the organization itself.',
    })
  }
  const membership = userId === null ? null : await memberships.find({ organizationId, userId })
  const verdict = membership === null ? null : judgeRole(accessRowOf('organization.change'), caller, membership)
  if (verdict?.allowed === true) return organizationId
  throw new GatewayError('forbidden', {
    message: 'Whoever this management key acts for is not an administrator of its organization any more.',
    inside: verdict?.inside ?? 'no member',
  })
}
