import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A group of members with a budget of its own. */
export interface Team {
  readonly id: Uuid
  readonly organizationId: Uuid
  /** Unique in the organization, whatever the case of its letters. */
  readonly name: string
  readonly description: string | null
  readonly costCenterCode: string | null
  readonly permissionScope: string | null
  readonly monthlyBudget: NanoUsd | null
}

/** What the audit log tells of a team. */
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
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
