import type { Grant } from '#domain/access/judge-access.ts'
import type { Team } from './team.ts'

export type TeamField = Exclude<keyof Team, 'id' | 'organizationId'>

/** A team_admin changes the description and budget of the team, not its name, cost center or allowed models. */
export function judgeTeamChange(grant: Grant, fields: readonly TeamField[]): TeamVerdict {
  if (grant.reach === 'organization') return { allowed: true }
  const beyond = fields.find((field) => !ownFields.has(field))
  if (beyond === undefined) return { allowed: true }
  return { allowed: false, message: `As team_admin you cannot change ${beyond}: that is for an org_admin.` }
}

export type TeamVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const ownFields: ReadonlySet<TeamField> = new Set(['description', 'monthlyBudget'])
