import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { OrganizationListing } from '#domain/organizations/organization.ts'

/** An organization as commands show it. */
export function describeOrganization(organization: OrganizationListing) {
  return {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    plan: organization.plan,
    billing: organization.billing,
    creditLine: formatUsd(organization.creditLine),
    balance: formatUsd(organization.balance),
    walletId: organization.walletId,
    seats: organization.seats,
    members: organization.memberCount,
    teams: organization.teamCount,
    weeklyBudget: budgetText(organization.weeklyBudget),
    monthlyBudget: budgetText(organization.monthlyBudget),
    suspended: organization.suspended,
    createdAt: new Date(organization.createdAtMs).toISOString(),
  }
}

function budgetText(budget: NanoUsd | null): string | null {
  return budget === null ? null : formatUsd(budget)
}
