import type { Member } from '#domain/organizations/member.ts'
import type { Team } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'

/** Finds a team of the locked organization. A team of another organization is reported as not found. */
export async function readTeam(locked: LockedOrganization, teamId: string): Promise<Team> {
  const team = isUuid(teamId) ? await locked.findTeam(teamId) : null
  if (team === null) throw new GatewayError('notFound', { message: 'Team not found.' })
  return team
}

/** Reads the member again under the lock, because the earlier check may have seen an older state. */
export async function readMember(locked: LockedOrganization, memberId: Uuid): Promise<Member> {
  const member = await locked.findMember({ memberId })
  if (member === null) throw new GatewayError('notFound', { message: 'Member not found.' })
  return member
}

/** The organization is locked, so a free name stays free until the change is committed. */
export async function assertTeamName(
  locked: LockedOrganization,
  query: Parameters<LockedOrganization['isTeamNameTaken']>[0],
): Promise<void> {
  if (!(await locked.isTeamNameTaken(query))) return
  throw new GatewayError('conflict', { message: `A team named ${query.name} already exists.` })
}
