import type { Principal } from '#domain/access/principal.ts'
import { usageScopeOf } from '#domain/usage/usage-scope.ts'
import type { GenerationScope } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'

/**
 * The requests that a key may list, and whose receipts it may read: as for usage, but whoever watches the bill of an organization sees figures of it and not
 * what others asked for. What a person is there is read each time.
 */
export async function openGenerationScope(memberships: Memberships, principal: Principal): Promise<GenerationScope> {
  const { keyType, organizationId, userId } = principal
  const mayManage = keyType === 'management' && organizationId !== null && userId !== null
  const membership = mayManage ? await memberships.find({ organizationId, userId }) : null
  const role = membership?.role === 'org_admin' ? membership.role : null
  return { ...usageScopeOf({ kind: 'key', principal }, role), userId }
}
