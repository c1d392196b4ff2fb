import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { judgeTeamChange, type Team, type TeamField, teamValues } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import type { TeamChange } from './organization-bodies.ts'
import { assertTeamName, readTeam } from './under-lock.ts'

/** Changes the given fields. */
export async function changeTeam(
  deps: OrganizationDeps,
  input: { teamId: Uuid; change: TeamChange; grant: Grant; stamp: AuditStamp },
): Promise<Team> {
  const { teamId, change, grant, stamp } = input
  const verdict = judgeTeamChange(grant, fieldsOf(change))
  if (!verdict.allowed) throw new GatewayError('forbidden', { message: verdict.message })
  return changeWithin(deps, stamp, async (locked) => {
    const before = await readTeam(locked, teamId)
    const after: Team = { ...before, ...change }
    const changed = changedValues(teamValues(before), teamValues(after))
    if (changed === null) return { result: before, entries: [] }
    await assertTeamName(locked, { name: after.name, exceptTeamId: teamId })
    await locked.updateTeam(after)
    if (before.monthlyBudget !== after.monthlyBudget) {
      await locked.recountWindows({ kinds: ['team_month'], ownerId: teamId })
    }
    const target = { kind: 'team', id: teamId }
    return { result: after, entries: [{ ...stamp, action: 'team.update', target, ...changed }] }
  })
}

const fieldNames: readonly TeamField[] = [
  'name',
  'description',
  'costCenterCode',
  'permissionScope',
  'monthlyBudget',
  'defaultRole',
  'defaultMonthlyBudget',
  'memberKeysMax',
]

function fieldsOf(change: TeamChange): TeamField[] {
  return fieldNames.filter((field) => change[field] !== undefined)
}
