import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JoinedOrganization } from '#domain/organizations/organization.ts'
import type { JsonObject } from '#lib/json.ts'

/** For the list, which every member and every key may read. */
export function renderOrganizationEntry(organization: JoinedOrganization): JsonObject {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    role: organization.role,
    joinedAt: new Date(organization.joinedAtMs).toISOString(),
    creditBalance: usdJson(organization.balance),
  }
}

export function renderOrganization(organization: JoinedOrganization): JsonObject {
  return {
    ...renderOrganizationEntry(organization),
    plan: organization.plan,
    billingMode: organization.billing,
    creditLine: usdJson(organization.creditLine),
    seats: { total: organization.seats, used: organization.memberCount },
    settings: organization.settings,
    weeklyBudget: budgetJson(organization.weeklyBudget),
    monthlyBudget: budgetJson(organization.monthlyBudget),
    teamCount: organization.teamCount,
    memberCount: organization.memberCount,
    createdAt: new Date(organization.createdAtMs).toISOString(),
  }
}

export function budgetJson(budget: NanoUsd | null): number | null {
  return budget === null ? null : usdJson(budget)
}
