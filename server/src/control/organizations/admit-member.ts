import type { Grant } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import { judgeSeat } from '#domain/organizations/judge-seat.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { resolveMemberTerms } from '#domain/organizations/member-terms.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import { readTeam } from './under-lock.ts'

/** A person who becomes a member. Undefined fields get the defaults of the team, or else of the organization. */
export interface Admission {
  readonly userId: Uuid
  readonly role?: Role | undefined
  /** Not yet checked: it may not be an id, or not a team of the organization. */
  readonly teamId?: string | null | undefined
  readonly monthlyBudget?: NanoUsd | null | undefined
}

interface AdmissionInput {
  readonly admission: Admission
  /** Whose rights decide about role and team. An identity provider acts for the whole organization. */
  readonly grant: Grant
  readonly stamp: AuditStamp
  /** Further facts for the audit entry, such as the invitation. */
  readonly details?: JsonObject
}

/**
 * Makes an existing user a member, with defaults, in one transaction with its audit entry. Invitations, imports,
 * sign-on and provisioning all admit members through it. A present member is a conflict.
 */
export async function admitMember(deps: OrganizationDeps, input: AdmissionInput, nowMs: number): Promise<Member> {
  return changeWithin(deps, input.stamp, async (locked) => {
    const { member, entry } = await admitUnderLock(locked, input, nowMs)
    return { result: member, entries: [entry] }
  })
}

/** Admits within a larger change, which appends the entry. */
export async function admitUnderLock(
  locked: LockedOrganization,
  { admission, grant, stamp, details }: AdmissionInput,
  nowMs: number,
): Promise<{ member: Member; entry: AuditEntry }> {
  const { userId, teamId = null } = admission
  const team = teamId === null ? null : await readTeam(locked, teamId)
  const terms = resolveMemberTerms(admission, { organization: locked.organization, team })
  const verdict = judgeMember(grant, { before: null, after: { ...terms, suspended: false }, otherAdmins: 0 })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  if ((await locked.findMember({ userId })) !== null) {
    throw new GatewayError('conflict', { message: 'This person is already a member.' })
  }
  const seat = judgeSeat(locked.organization, (await locked.countMembers()).members)
  if (!seat.allowed) throw new GatewayError('conflict', { message: seat.message })
  const member: Member = { id: newUuid(nowMs), userId, ...terms, suspended: false }
  await locked.insertMember(member)
  const target = { kind: 'member', id: member.id }
  const after = memberValues(member)
  const entry: AuditEntry = { ...stamp, action: 'org_member.add', target, after, details: details ?? null }
  return { member, entry }
}
