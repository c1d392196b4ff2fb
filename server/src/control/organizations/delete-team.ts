import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { teamValues } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import { readTeam } from './under-lock.ts'

/**
 * Deletes a team. Its members stay in the organization. Keys created for the team stop working, and its administrators
 * lose that role.
 */
export async function deleteTeam(
  deps: OrganizationDeps,
  { teamId, stamp }: { teamId: Uuid; stamp: AuditStamp },
): Promise<void> {
  await changeWithin(deps, stamp, async (locked) => {
    const team = await readTeam(locked, teamId)
    const demoted = await locked.demoteTeamAdmins(teamId)
    const revokedKeyIds = await locked.revokeKeys({ teamId })
    await locked.deleteTeam(teamId)
    const entries: AuditEntry[] = [
      {
        ...stamp,
        action: 'team.delete',
        target: { kind: 'team', id: teamId },
        before: teamValues(team),
        details: { revokedKeyIds },
      },
      ...demoted.map(
        (member): AuditEntry => ({
          ...stamp,
          action: 'org_member.update',
          target: { kind: 'member', id: member.id },
          before: { role: 'team_admin', teamId },
          after: { role: member.role, teamId: null },
        }),
      ),
    ]
    return { result: null, entries }
  })
}
