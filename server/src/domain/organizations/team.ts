import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { Grant } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

export const teamDefaultRoles = ['member', 'team_admin'] as const satisfies readonly Role[]
export type TeamDefaultRole = (typeof teamDefaultRoles)[number]

/** A group of members with its own budget. */
export interface Team {
  readonly id: Uuid
  readonly organizationId: Uuid
  /** Unique in the organization, case-insensitively. */
  readonly name: string
  readonly description: string | null
  readonly costCenterCode: string | null
  readonly permissionScope: string | null
  readonly monthlyBudget: NanoUsd | null
  /** What new members of the team get. Null means the organization's default. */
  readonly defaultRole: TeamDefaultRole | null
  readonly defaultMonthlyBudget: NanoUsd | null
  /** How many API keys each member of the team may create. Null means the organization's limit. */
  readonly memberKeysMax: number | null
}

/** A team for which only a name was given. */
export const plainTeam = {
  description: null,
  costCenterCode: null,
  permissionScope: null,
  monthlyBudget: null,
  defaultRole: null,
  defaultMonthlyBudget: null,
  memberKeysMax: null,
} as const

/** A team's values for the audit log. */
export function teamValues(team: Team): JsonObject {
  return {
    name: team.name,
    description: team.description,
    costCenterCode: team.costCenterCode,
    permissionScope: team.permissionScope,
    monthlyBudget: nullableUsdJson(team.monthlyBudget),
    defaultRole: team.defaultRole,
    defaultMonthlyBudget: nullableUsdJson(team.defaultMonthlyBudget),
    memberKeysMax: team.memberKeysMax,
  }
}

export interface TeamListing extends Team {
  readonly memberCount: number
  readonly spentThisMonth: NanoUsd
  /** On hold in the monthly budget. Zero without a budget, because nothing is counted then. */
  readonly heldThisMonth: NanoUsd
  /** Its own settings. A null field is inherited. */
  readonly breaker: BreakerSettings
  /** Keys that end with the team. */
  readonly keyCount: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type TeamField = Exclude<keyof Team, 'id' | 'organizationId'>

/**
 * A team_admin can change the description, the budget and the defaults of the team, but not its name, cost center,
 * allowed models or limit of keys.
 */
export function judgeTeamChange(grant: Grant, fields: readonly TeamField[]): TeamVerdict {
  if (grant.reach === 'organization') return { allowed: true }
  const beyond = fields.find((field) => !ownFields.has(field))
  if (beyond === undefined) return { allowed: true }
  return { allowed: false, message: `As a team_admin, you can't change ${beyond}. Ask an org_admin.` }
}

type TeamVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const ownFields: ReadonlySet<TeamField> = new Set([
  'description',
  'monthlyBudget',
  'defaultRole',
  'defaultMonthlyBudget',
])
