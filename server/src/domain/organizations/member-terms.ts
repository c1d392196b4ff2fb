import type { Role } from '#domain/access/roles.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Member } from './member.ts'
import type { Organization } from './organization.ts'
import type { Team } from './team.ts'

type Defaults = Pick<Organization, 'defaultRole' | 'defaultMonthlyBudget'>
type TeamDefaults = Pick<Team, 'id' | 'defaultRole' | 'defaultMonthlyBudget'>

/** The role, team and budget of a new member: what was given, else the team's default, else the organization's. */
export function resolveMemberTerms(
  given: { readonly role?: Role | undefined; readonly monthlyBudget?: NanoUsd | null | undefined },
  { organization, team }: { organization: Defaults; team: TeamDefaults | null },
): Pick<Member, 'role' | 'teamId' | 'monthlyBudget'> {
  const { role = team?.defaultRole ?? organization.defaultRole } = given
  const { monthlyBudget = team?.defaultMonthlyBudget ?? organization.defaultMonthlyBudget } = given
  return { role, teamId: team?.id ?? null, monthlyBudget }
}
