import { changeUnderLock } from '#control/organizations/change-member.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Member } from '#domain/organizations/member.ts'
import { resolveMemberTerms } from '#domain/organizations/member-terms.ts'
import type { GroupMapping } from '#domain/sign-on/connection.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedProvisioning, ProvisionedMember } from '#ports/provisioning.ts'
import { directoryGrant } from './change-provisioned.ts'

/**
 * Gives a member the team and role of the first mapping among their groups. A member who leaves the last mapped group
 * gets the organization's defaults, but only if a group had placed them: a place given by hand stays.
 */
export async function placeByGroups(
  locked: LockedProvisioning,
  { memberId, mappings, stamp }: { memberId: Uuid; mappings: readonly GroupMapping[]; stamp: AuditStamp },
): Promise<readonly AuditEntry[]> {
  const member = await locked.findMember({ memberId })
  // A directory neither makes nor demotes administrators of the organization.
  if (member === null || member.role === 'org_admin') return []
  const { placedBy } = await adopt(locked, memberId)
  const groups = new Set(await locked.listGroupNames(memberId))
  const mapping = mappings.find(({ group }) => groups.has(group)) ?? null
  if (mapping === null && placedBy === null) return []
  const place = mapping ?? { teamId: null, role: locked.organization.defaultRole }
  const monthlyBudget = await budgetAt(locked, member, place.teamId)
  const change = { role: place.role, teamId: place.teamId, monthlyBudget }
  const { entries } = await changeUnderLock(locked, { memberId, change, grant: directoryGrant, stamp })
  if ((mapping?.group ?? null) !== placedBy) await locked.savePlacement(memberId, mapping?.group ?? null)
  return entries
}

/** A member whom the directory did not know is one of its people from now on. */
async function adopt(locked: LockedProvisioning, memberId: Uuid): Promise<ProvisionedMember> {
  const known = await locked.findProvisioned(memberId)
  if (known !== null) return known
  const user = await locked.findUser(memberId)
  // Another person may have taken the user name since, and must not keep everyone else from a place.
  const isFree = user !== null && (await locked.findTaken({ ...user, exceptMemberId: memberId })) === null
  if (isFree) await locked.saveProfile(memberId, user, false)
  return { createdAccount: false, placedBy: null }
}

/** A budget that came from the defaults follows them to the new team. One that was set by hand stays. */
async function budgetAt(
  locked: LockedProvisioning,
  member: Member,
  teamId: Uuid | null,
): Promise<Member['monthlyBudget']> {
  if (teamId === member.teamId) return member.monthlyBudget
  const defaultAt = async (id: Uuid | null) => {
    const team = id === null ? null : await locked.findTeam(id)
    return resolveMemberTerms({}, { organization: locked.organization, team }).monthlyBudget
  }
  return (await defaultAt(member.teamId)) === member.monthlyBudget ? defaultAt(teamId) : member.monthlyBudget
}
