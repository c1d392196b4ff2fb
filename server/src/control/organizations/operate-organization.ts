import type { AuditAction } from '#domain/audit/audit-entry.ts'
import { judgeBilling, type OrganizationListing } from '#domain/organizations/organization.ts'
import { malformed } from '#errors/malformed.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { changeOrganization, type OrganizationChange } from './change-organization.ts'
import type { OrganizationDeps } from './change-within.ts'
import { assertSeats } from './organization-bodies.ts'
import { readOrganization } from './read-organizations.ts'

/** Changes the operator's settings of an organization: suspension, billing and seats. */
export async function operateOrganization(
  deps: OrganizationDeps,
  input: { reference: string; change: OrganizationChange },
  { actor, requestId }: Pick<ChangeAuthor, 'actor' | 'requestId'>,
): Promise<OrganizationListing> {
  const { change } = input
  const organization = await readOrganization(deps.organizations, input.reference)
  const verdict = judgeBilling({ ...organization, ...change })
  if (!verdict.allowed) throw malformed(verdict.message)
  if (change.seats !== undefined) assertSeats(change.seats)
  const stamp = { chainId: organization.id, actor, requestId }
  const changed = await changeOrganization(deps, { change, stamp, action: actionOf(change) })
  return { ...organization, ...changed }
}

function actionOf({ suspended }: OrganizationChange): AuditAction {
  if (suspended === undefined) return 'org.update'
  return suspended ? 'org.suspend' : 'org.unsuspend'
}
