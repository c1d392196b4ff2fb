import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import type { MemberChange } from './organization-bodies.ts'
import { readMember, readTeam } from './under-lock.ts'

interface MemberChangeInput {
  readonly memberId: Uuid
  readonly change: MemberChange
  readonly grant: Grant
  readonly stamp: AuditStamp
}

/**
 * Changes the given fields. If a member leaves a team, the member's keys for that team are revoked. A suspension ends
 * the person's institution sessions.
 */
export async function changeMember(deps: OrganizationDeps, input: MemberChangeInput): Promise<Member> {
  return changeWithin(deps, input.stamp, async (locked) => {
    const { member, entries } = await changeUnderLock(locked, input)
    return { result: member, entries }
  })
}

/** Changes a member within a change that does more. Append the entries; there are none if nothing changed. */
export async function changeUnderLock(
  locked: LockedOrganization,
  { memberId, change, grant, stamp }: MemberChangeInput,
): Promise<{ member: Member; entries: readonly AuditEntry[] }> {
  const before = await readMember(locked, memberId)
  const after: Member = { ...before, ...change }
  const verdict = judgeMember(grant, { before, after, otherAdmins: await countOtherAdmins(locked, before) })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  const changed = changedValues(memberValues(before), memberValues(after))
  if (changed === null) return { member: before, entries: [] }
  if (after.teamId !== null) await readTeam(locked, after.teamId)
  await locked.updateMember(after)
  if (before.monthlyBudget !== after.monthlyBudget) {
    await locked.recountWindows({ kinds: ['member_month'], ownerId: memberId })
  }
  const revokedKeyIds =
    before.teamId === null || before.teamId === after.teamId
      ? []
      : await locked.revokeKeys({ memberId, teamId: before.teamId })
  const isSuspension = after.suspended && !before.suspended
  const ended = isSuspension ? await locked.endInstitutionSessions(await locked.listMemberAddresses(memberId)) : 0
  const details = {
    ...(revokedKeyIds.length === 0 ? {} : { revokedKeyIds }),
    ...(ended === 0 ? {} : { endedInstitutionSessions: ended }),
  }
  const target = { kind: 'member', id: memberId }
  const told = Object.keys(details).length === 0 ? null : details
  return { member: after, entries: [{ ...stamp, action: 'org_member.update', target, ...changed, details: told }] }
}

/**
 * Counts the other administrators with access under the organization's lock, so that two administrators cannot demote
 * each other at the same time.
 */
export async function countOtherAdmins(locked: LockedOrganization, member: Member): Promise<number> {
  const { admins } = await locked.countMembers()
  return member.role === 'org_admin' && !member.suspended ? admins - 1 : admins
}
