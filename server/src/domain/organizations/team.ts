import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { Grant } from '#domain/access/judge-access.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

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
}

/** A team's values for the audit log. */
export function teamValues(team: Team): JsonObject {
  return {
    name: team.name,
    description: team.description,
    costCenterCode: team.costCenterCode,
    permissionScope: team.permissionScope,
    monthlyBudget: nullableUsdJson(team.monthlyBudget),
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

/** A team_admin can change the description and budget of the team, but not its name, cost center or allowed models. */
export function judgeTeamChange(grant: Grant, fields: readonly TeamField[]): TeamVerdict {
  if (grant.reach === 'organization') return { allowed: true }
  const beyond = fields.find((field) => !ownFields.has(field))
  if (beyond === undefined) return { allowed: true }
  return { allowed: false, message: `As a team_admin, you can't change ${beyond}. Ask an org_admin.` }
}

type TeamVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

const ownFields: ReadonlySet<TeamField> = new Set(['description', 'monthlyBudget'])
