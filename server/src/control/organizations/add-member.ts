import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import { judgeSeat } from '#domain/organizations/judge-seat.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Users } from '#ports/people.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import type { NewMemberTerms } from './organization-bodies.ts'
import { readTeam } from './under-lock.ts'

/** Finds an existing user. People can be found by verified addresses only; operators can use any reference. */
export type FindUser = (reference: string) => Promise<{ readonly id: Uuid } | null>

/** Makes an existing user a member at once. A team administrator adds to their own team without naming it. */
export async function addMember(
  deps: OrganizationDeps & { findUser: FindUser },
  input: { terms: NewMemberTerms; grant: Grant; stamp: AuditStamp },
  nowMs: number,
): Promise<Member> {
  const { terms, grant, stamp } = input
  const { role, monthlyBudget } = terms
  const teamId = terms.teamId === undefined && grant.reach === 'own_team' ? grant.teamId : (terms.teamId ?? null)
  const verdict = judgeMember(grant, { before: null, after: { role, teamId, suspended: false }, otherAdmins: 0 })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  const user = await deps.findUser(terms.email)
  if (user === null) throw new GatewayError('notFound', { message: `No account exists for ${terms.email}.` })
  const userId = user.id
  return changeWithin(deps, stamp, async (locked) => {
    if ((await locked.findMember({ userId })) !== null) {
      throw new GatewayError('conflict', { message: `${terms.email} is already a member.` })
    }
    const team = teamId === null ? null : await readTeam(locked, teamId)
    const seat = judgeSeat(locked.organization, (await locked.countMembers()).members)
    if (!seat.allowed) throw new GatewayError('conflict', { message: seat.message })
    const teamOf = { teamId: team?.id ?? null }
    const member: Member = { id: newUuid(nowMs), userId, role, ...teamOf, monthlyBudget, suspended: false }
    await locked.insertMember(member)
    const target = { kind: 'member', id: member.id }
    return { result: member, entries: [{ ...stamp, action: 'org_member.add', target, after: memberValues(member) }] }
  })
}

/** Finds a user by a verified email address. Ids and other strings find no user. */
export function findByAddress(users: Pick<Users, 'findVerified'>): FindUser {
  return async (address) => (isMailAddress(address) ? users.findVerified(address) : null)
}
