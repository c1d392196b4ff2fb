import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Member } from './member.ts'
import type { Organization } from './organization.ts'
import type { Team } from './team.ts'

/** What the audit log tells of an organization. */
export function organizationValues(organization: Organization): JsonObject {
  return {
    name: organization.name,
    slug: organization.slug,
    plan: organization.plan,
    billingMode: organization.billing,
    creditLine: usdJson(organization.creditLine),
    seats: organization.seats,
    settings: organization.settings,
    suspended: organization.suspended,
    weeklyBudget: budgetJson(organization.weeklyBudget),
    monthlyBudget: budgetJson(organization.monthlyBudget),
  }
}

export function teamValues(team: Team): JsonObject {
  return {
    name: team.name,
    description: team.description,
    costCenterCode: team.costCenterCode,
    permissionScope: team.permissionScope,
    monthlyBudget: budgetJson(team.monthlyBudget),
  }
}

export function memberValues(member: Member): JsonObject {
  return {
    userId: member.userId,
    role: member.role,
    teamId: member.teamId,
    monthlyBudget: budgetJson(member.monthlyBudget),
  }
}

function budgetJson(budget: NanoUsd | null): number | null {
  return budget === null ? null : usdJson(budget)
}
