import type { Caller } from '#domain/access/caller.ts'
import type { Principal } from '#domain/access/principal.ts'
import { type UsageScope, usageScopeOf } from '#domain/usage/usage-scope.ts'
import { isUuid } from '#lib/uuid.ts'
import type { GenerationScope } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { UsageFilter } from '#ports/usage.ts'

/** The requests that a caller may see figures of. What a person is in an organization is read each time. */
export async function openUsageScope(memberships: Memberships, caller: Caller): Promise<UsageScope> {
  if (caller.kind === 'session') return usageScopeOf(caller, null)
  const { keyType, organizationId, userId } = caller.principal
  if (keyType !== 'management' || organizationId === null || userId === null) return usageScopeOf(caller, null)
  const membership = await memberships.find({ organizationId, userId })
  return usageScopeOf(caller, membership?.role ?? null)
}

/** What a caller asks to be left out, as it was sent; null: nothing. */
export interface AskedFilters {
  readonly model: string | null
  readonly apiKeyId: string | null
  readonly app: string | null
}

/**
 * What fits both the scope and the filters; null where nothing can. Keys of others need no rule of their own: within the scope
 * they have used nothing, like keys that never were.
 */
export function narrowScope({ only }: UsageScope, { model, apiKeyId, app }: AskedFilters): UsageFilter | null {
  if (apiKeyId !== null && !isUuid(apiKeyId)) return null
  if (apiKeyId !== null && only !== null && 'keyId' in only && only.keyId !== apiKeyId) return null
  return {
    ...only,
    ...(apiKeyId === null ? {} : { keyId: apiKeyId }),
    ...(model === null ? {} : { model }),
    ...(app === null ? {} : { app }),
  }
}

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
