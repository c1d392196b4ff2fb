import { usdJson } from '#domain/money/nano-usd.ts'
import type { TeamListing } from '#domain/organizations/team.ts'
import type { JsonObject } from '#lib/json.ts'
import { budgetJson } from './render-organization.ts'

export function renderTeam(team: TeamListing): JsonObject {
  return {
    id: team.id,
    orgId: team.organizationId,
    name: team.name,
    description: team.description,
    costCenterCode: team.costCenterCode,
    monthlyBudget: budgetJson(team.monthlyBudget),
    spendThisMonth: usdJson(team.spentThisMonth),
    permissionScope: team.permissionScope,
    memberCount: team.memberCount,
    createdAt: new Date(team.createdAtMs).toISOString(),
    updatedAt: new Date(team.updatedAtMs).toISOString(),
  }
}
