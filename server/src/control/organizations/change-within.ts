import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { LockedOrganization, Organizations } from '#ports/organizations.ts'

export interface OrganizationDeps {
  readonly organizations: Organizations
  readonly announce: Announce
}

/** The result of a change, and its audit entries. No entries means that nothing changed. */
interface Changed<Result> {
  readonly result: Result
  readonly entries: readonly AuditEntry[]
}

/**
 * The only way to change anything within an organization: under its lock, with the audit entries in the same
 * transaction, and announced after the commit.
 */
export async function changeWithin<Result>(
  { organizations, announce }: OrganizationDeps,
  stamp: AuditStamp,
  work: (locked: LockedOrganization) => Promise<Changed<Result>>,
): Promise<Result> {
  const organizationId: Uuid = stamp.chainId
  const changed = await organizations.change(organizationId, async (locked) => {
    const done = await work(locked)
    await locked.append(done.entries)
    return done
  })
  if (changed === null) throw new GatewayError('notFound', { message: 'Organization not found.' })
  if (changed.entries.length > 0) await announce({ organizationId })
  return changed.result
}
