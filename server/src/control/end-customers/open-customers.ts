import type { KeyAccount } from '#domain/access/key-account.ts'
import type { Role } from '#domain/access/roles.ts'
import { watchesBill } from '#domain/usage/usage-scope.ts'
import type { Memberships } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import { openPlace } from '../access/open-place.ts'
import { openKeyAccount } from '../keys/read-keys.ts'
import type { ScopeQuestion } from '../usage/usage-scope.ts'

/**
 * The account whose customers a client may read: its own, or that of an organization whose bill the person watches. A
 * key of an organization must be that of an administrator.
 */
export function openCustomersToRead(memberships: Memberships, question: ScopeQuestion): Promise<KeyAccount> {
  return openAccount(memberships, question, watchesBill)
}

/** The account whose customers a client may change: its own, or that of an organization that the person administers. */
export function openCustomersToChange(memberships: Memberships, question: ScopeQuestion): Promise<KeyAccount> {
  return openAccount(memberships, question, (role) => role === 'org_admin')
}

async function openAccount(
  memberships: Memberships,
  { client, organization }: ScopeQuestion,
  isAllowed: (role: Role) => boolean,
): Promise<KeyAccount> {
  if (organization === null) return openKeyAccount(memberships, client, 'organization.keys.change')
  const { organizationId, role } = await openPlace(memberships, { client, organization })
  if (!isAllowed(role)) throw forbidden(`a ${role} may not`)
  return { kind: 'organization', organizationId }
}
