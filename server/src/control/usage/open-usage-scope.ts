import type { Caller } from '#domain/access/caller.ts'
import { type UsageScope, usageScopeOf } from '#domain/usage/usage-scope.ts'
import type { Memberships } from '#ports/organizations.ts'

/** The requests that a caller may see figures of. What a person is in an organization is read each time. */
export async function openUsageScope(memberships: Memberships, caller: Caller): Promise<UsageScope> {
  if (caller.kind === 'session') return usageScopeOf(caller, null)
  const { keyType, organizationId, userId } = caller.principal
  if (keyType !== 'management' || organizationId === null || userId === null) return usageScopeOf(caller, null)
  const membership = await memberships.find({ organizationId, userId })
  return usageScopeOf(caller, membership?.role ?? null)
}
