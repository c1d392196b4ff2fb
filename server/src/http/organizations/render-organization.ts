import { breakerJson } from '#domain/access/breaker-json.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { MemberListing } from '#domain/organizations/member.ts'
import type { JoinedOrganization, OrganizationSpend } from '#domain/organizations/organization.ts'
import type { TeamListing } from '#domain/organizations/team.ts'
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
    memberKeysMax: organization.memberKeysMax,
    ownKeysMax: organization.ownKeysMax,
  }
}

export function renderOrganization(organization: JoinedOrganization, { week, month }: OrganizationSpend): JsonObject {
  return {
    ...renderOrganizationEntry(organization),
    plan: organization.plan,
    billingMode: organization.billing,
    creditLine: usdJson(organization.creditLine),
    seats: { total: organization.seats, used: organization.memberCount },
    settings: organization.settings,
    cacheTtlSeconds: organization.cacheTtlSeconds,
    defaultRole: organization.defaultRole,
    defaultMonthlyBudget: nullableUsdJson(organization.defaultMonthlyBudget),
    weeklyBudget: nullableUsdJson(organization.weeklyBudget),
    monthlyBudget: nullableUsdJson(organization.monthlyBudget),
    spendThisWeek: usdJson(week.spent),
    heldThisWeek: usdJson(week.held),
    spendThisMonth: usdJson(month.spent),
    heldThisMonth: usdJson(month.held),
    teamCount: organization.teamCount,
    memberCount: organization.memberCount,
    createdAt: new Date(organization.createdAtMs).toISOString(),
  }
}

export function renderTeam(team: TeamListing): JsonObject {
  return {
    id: team.id,
    orgId: team.organizationId,
    name: team.name,
    description: team.description,
    costCenterCode: team.costCenterCode,
    monthlyBudget: nullableUsdJson(team.monthlyBudget),
    spendThisMonth: usdJson(team.spentThisMonth),
    heldThisMonth: usdJson(team.heldThisMonth),
    breaker: breakerJson(team.breaker),
    keyCount: team.keyCount,
    permissionScope: team.permissionScope,
    defaultRole: team.defaultRole,
    defaultMonthlyBudget: nullableUsdJson(team.defaultMonthlyBudget),
    memberKeysMax: team.memberKeysMax,
    memberCount: team.memberCount,
    createdAt: new Date(team.createdAtMs).toISOString(),
    updatedAt: new Date(team.updatedAtMs).toISOString(),
  }
}

export function renderMember(member: MemberListing): JsonObject {
  return {
    id: member.id,
    user: { ...member.user },
    team: member.team === null ? null : { ...member.team },
    role: member.role,
    joinedAt: new Date(member.joinedAtMs).toISOString(),
    monthlyBudget: nullableUsdJson(member.monthlyBudget),
    spendThisMonth: usdJson(member.spentThisMonth),
    suspended: member.suspended,
    heldThisMonth: usdJson(member.heldThisMonth),
    breaker: breakerJson(member.breaker),
    keyCount: member.keyCount,
  }
}
