import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Member } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Announce } from '#ports/announce.ts'
import type { LockedProvisioning, Provisioning } from '#ports/provisioning.ts'
import { countOtherAdmins } from '../organizations/change-member.ts'

export interface ProvisioningDeps {
  readonly provisioning: Provisioning
  readonly announce: Announce
}

/** A directory acts for the whole organization. */
export const directoryGrant: Grant = { reach: 'organization' }

/** One request of a directory: all of it or nothing, with its audit entries, and announced after the commit. */
export async function changeProvisioned<Result>(
  { provisioning, announce }: ProvisioningDeps,
  { chainId }: Pick<AuditStamp, 'chainId'>,
  work: (locked: LockedProvisioning, entries: AuditEntry[]) => Promise<Result>,
): Promise<Result> {
  const entries: AuditEntry[] = []
  const changed = await provisioning.change(chainId, async (locked) => {
    const result = await work(locked, entries)
    if (entries.length > 0) await locked.append(entries)
    return { result }
  })
  if (changed === null) throw new GatewayError('notFound', { message: 'Organization not found.' })
  if (entries.length > 0) await announce({ organizationId: chainId })
  return changed.result
}

/** A directory must not lock everybody out: the last administrator stays, whatever it says. */
export async function refuseLastAdmin(locked: LockedProvisioning, member: Member): Promise<void> {
  if (member.role !== 'org_admin' || member.suspended || (await countOtherAdmins(locked, member)) > 0) return
  throw new GatewayError('forbidden', {
    message: 'This is the last org_admin of the organization. Make another member org_admin first.',
  })
}
