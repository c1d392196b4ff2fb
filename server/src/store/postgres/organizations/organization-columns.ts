import type { BillingMode, Organization, OrganizationListing } from '#domain/organizations/organization.ts'
import type { JsonObject } from '#lib/json.ts'
import { readNano, readNullableNano } from '../nano-column.ts'

/** What every statement reads of an organization (`o`) and its wallet (`w`). */
export const organizationColumns = `o.id, o.name, o.slug, o.plan, o.billing_mode, o.seats, o.settings,
    o.suspended_at IS NOT NULL AS suspended, o.weekly_budget_nano, o.monthly_budget_nano, o.created_at,
    w.id AS wallet_id, w.balance_nano, w.credit_line_nano`

export const countColumns = `(SELECT count(*)::integer FROM teams t WHERE t.organization_id = o.id) AS team_count,
    (SELECT count(*)::integer FROM members c WHERE c.organization_id = o.id) AS member_count`

export const organizationTables = `organizations o
  JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = o.id`

export interface OrganizationRow {
  id: string
  name: string
  slug: string
  plan: string
  billing_mode: BillingMode
  seats: number | null
  settings: JsonObject
  suspended: boolean
  weekly_budget_nano: string | null
  monthly_budget_nano: string | null
  created_at: Date
  wallet_id: string
  balance_nano: string
  credit_line_nano: string
}

export interface OrganizationListingRow extends OrganizationRow {
  team_count: number
  member_count: number
}

export function readOrganization(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    billing: row.billing_mode,
    creditLine: readNano(row.credit_line_nano),
    seats: row.seats,
    settings: row.settings,
    suspended: row.suspended,
    weeklyBudget: readNullableNano(row.weekly_budget_nano),
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    createdAtMs: row.created_at.getTime(),
  }
}

export function readOrganizationListing(row: OrganizationListingRow): OrganizationListing {
  return {
    ...readOrganization(row),
    walletId: row.wallet_id,
    balance: readNano(row.balance_nano),
    teamCount: row.team_count,
    memberCount: row.member_count,
  }
}
