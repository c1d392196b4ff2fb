import type { Client } from '#domain/access/client.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The requests that a client's figures cover: all requests of a wallet, or those of one member or key. */
export interface UsageScope {
  readonly walletId: Uuid
  readonly only: { readonly memberId: Uuid } | { readonly keyId: Uuid } | null
}

const watchers: ReadonlySet<Role> = new Set(['org_admin', 'billing_viewer'])

/** Whether a role may see the spend of a whole organization. */
export function watchesBill(role: Role | null): boolean {
  return role !== null && watchers.has(role)
}

/**
 * A person sees the personal wallet. An organization's key sees its member's usage, or else its own; a management key
 * sees the whole organization, as long as the person for whom it acts may see the organization's bill. `role` is that
 * person's current role, null if unknown.
 */
export function usageScopeOf(client: Client, role: Role | null): UsageScope {
  if (client.kind === 'session') return { walletId: client.person.walletId, only: null }
  const { walletId, organizationId, keyType, keyId, memberId } = client.principal
  if (organizationId === null) return { walletId, only: null }
  if (keyType === 'management' && watchesBill(role)) return { walletId, only: null }
  return { walletId, only: memberId === null ? { keyId } : { memberId } }
}
