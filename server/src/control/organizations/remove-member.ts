import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import { memberValues } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { countOtherAdmins } from './change-member.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import { readMember } from './under-lock.ts'

interface RemovalInput {
  readonly memberId: Uuid
  readonly grant: Grant
  readonly stamp: AuditStamp
}

/**
 * Ends the membership, the member's keys of the organization and the person's institution sessions. The person's own
 * account does not change.
 */
export async function removeMember(deps: OrganizationDeps, input: RemovalInput): Promise<void> {
  await changeWithin(deps, input.stamp, async (locked) => ({
    result: null,
    entries: [await removeUnderLock(locked, input)],
  }))
}

/** Removes a member within a change that does more. Append the entry afterwards. */
export async function removeUnderLock(
  locked: LockedOrganization,
  { memberId, grant, stamp }: RemovalInput,
): Promise<AuditEntry> {
  const member = await readMember(locked, memberId)
  const otherAdmins = await countOtherAdmins(locked, member)
  const verdict = judgeMember(grant, { before: member, after: null, otherAdmins })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  const revokedKeyIds = await locked.revokeKeys({ memberId })
  const addresses = await locked.listMemberAddresses(memberId)
  await locked.deleteMember(memberId)
  const ended = await locked.endInstitutionSessions(addresses)
  const details = { revokedKeyIds, ...(ended === 0 ? {} : { endedInstitutionSessions: ended }) }
  const target = { kind: 'member', id: memberId }
  return { ...stamp, action: 'org_member.remove', target, before: memberValues(member), details }
}
