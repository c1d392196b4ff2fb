import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import type { Member } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Users } from '#ports/people.ts'
import { admitMember } from './admit-member.ts'
import type { OrganizationDeps } from './change-within.ts'
import type { NewMemberTerms } from './organization-bodies.ts'

/** Finds an existing user. People can be found by verified addresses only; operators can use any reference. */
export type FindUser = (reference: string) => Promise<{ readonly id: Uuid } | null>

/** Makes an existing user a member at once. A team administrator adds to their own team without naming it. */
export async function addMember(
  deps: OrganizationDeps & { findUser: FindUser },
  input: { terms: NewMemberTerms; grant: Grant; stamp: AuditStamp },
  nowMs: number,
): Promise<Member> {
  const { terms, grant, stamp } = input
  const { email, role, monthlyBudget } = terms
  const teamId = terms.teamId === undefined && grant.reach === 'own_team' ? grant.teamId : (terms.teamId ?? null)
  // Before the address is looked up: a team administrator learns nothing about accounts by naming other teams.
  const after = { role: role ?? 'member', teamId, suspended: false }
  const verdict = judgeMember(grant, { before: null, after, otherAdmins: 0 })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  const user = await deps.findUser(email)
  if (user === null)
    throw new GatewayError('notFound', {
      message: `${email} can't be added directly: no account has confirmed this address. Send an invitation instead.`,
    })
  return admitMember(deps, { admission: { userId: user.id, role, teamId, monthlyBudget }, grant, stamp }, nowMs)
}

/** Finds a user by a verified email address. Ids and other strings find no user. */
export function findByAddress(users: Pick<Users, 'findVerified'>): FindUser {
  return async (address) => (isMailAddress(address) ? users.findVerified(address) : null)
}
