import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { teamsMax } from '#domain/organizations/organization.ts'
import { type Team, teamValues } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import type { TeamTerms } from './organization-bodies.ts'
import { assertTeamName } from './under-lock.ts'

export async function createTeam(
  deps: OrganizationDeps,
  input: { terms: TeamTerms; stamp: AuditStamp },
  nowMs: number,
): Promise<Team> {
  const { terms, stamp } = input
  const team: Team = { id: newUuid(nowMs), organizationId: stamp.chainId, ...terms }
  return changeWithin(deps, stamp, async (locked) => {
    if ((await locked.countTeams()) >= teamsMax) {
      throw new GatewayError('conflict', { message: `An organization can have at most ${teamsMax} teams.` })
    }
    await assertTeamName(locked, { name: team.name, exceptTeamId: null })
    await locked.insertTeam(team)
    const target = { kind: 'team', id: team.id }
    return { result: team, entries: [{ ...stamp, action: 'team.create', target, after: teamValues(team) }] }
  })
}
