import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { OrganizationBooks, Organizations } from '#ports/organizations.ts'

export interface OrganizationDeps {
  readonly organizations: Organizations
  readonly announce: Announce
}

/** What a change has come to, and what the audit log is to tell of it; without entries nothing has changed. */
export interface Changed<Result> {
  readonly result: Result
  readonly entries: readonly AuditEntry[]
}

/**
 * The one way to change anything within an organization: under its lock, with the audit entries in the same transaction, and
 * announced once that has been committed.
 */
export async function changeWithin<Result>(
  { organizations, announce }: OrganizationDeps,
  stamp: AuditStamp,
  work: (books: OrganizationBooks) => Promise<Changed<Result>>,
): Promise<Result> {
  const organizationId: Uuid = stamp.chainId
  const changed = await organizations.change(organizationId, async (books) => {
    const done = await work(books)
    await books.append(done.entries)
    return done
  })
  if (changed === null) throw new GatewayError('notFound', { message: 'There is no such organization.' })
  if (changed.entries.length > 0) await announce({ organizationId })
  return changed.result
}
