import type { Client } from '#domain/access/client.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Whose requests a client's figures are about: all that a wallet paid for, or those of one member or key alone. */
export interface UsageScope {
  readonly walletId: Uuid
  readonly only: { readonly memberId: Uuid } | { readonly keyId: Uuid } | null
}

const watchers: ReadonlySet<Role> = new Set(['org_admin', 'billing_viewer'])

/** Whether a role may see what a whole organization spends. */
export function watchesBill(role: Role | null): boolean {
  return role !== null && watchers.has(role)
}

/**
 * A person sees the personal wallet. With an organization's key one sees what its member has used, or else the key
 * itself; the whole organization is for management keys, while the person they act for may watch its bill. `role` is
 * what that person is there now, null where nothing is known.
 */
export function usageScopeOf(client: Client, role: Role | null): UsageScope {
  if (client.kind === 'session') return { walletId: client.person.walletId, only: null }
  const { walletId, organizationId, keyType, keyId, memberId } = client.principal
  if (organizationId === null) return { walletId, only: null }
  if (keyType === 'management' && watchesBill(role)) return { walletId, only: null }
  return { walletId, only: memberId === null ? { keyId } : { memberId } }
}
