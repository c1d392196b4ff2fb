import { accessRowOf } from '#domain/access/access-table.ts'
import { type Caller, userOf } from '#domain/access/caller.ts'
import { judgeRole } from '#domain/access/judge-access.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { KeyAccount } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'

/**
 * Whose keys a caller manages where the path names no organization: a person's own; or those of the organization that the
 * calling key belongs to, as long as the person it acts for is still an administrator there.
 */
export async function openKeyAccount(
  memberships: Memberships,
  caller: Caller,
  action: 'organization.keys.read' | 'organization.keys.change',
): Promise<KeyAccount> {
  const userId = userOf(caller)
  const organizationId = caller.kind === 'key' ? caller.principal.organizationId : null
  if (organizationId === null) {
    assert(userId !== null, 'a key that belongs to no organization belongs to a person')
    return { kind: 'user', userId }
  }
  const membership = userId === null ? null : await memberships.find({ organizationId, userId })
  const verdict = membership === null ? null : judgeRole(accessRowOf(action), caller, membership)
  if (verdict?.allowed === true) return { kind: 'organization', organizationId }
  throw new GatewayError('forbidden', {
    message: 'Whoever this management key acts for is not an administrator of its organization any more.',
    inside: verdict?.inside ?? 'no member',
  })
}
