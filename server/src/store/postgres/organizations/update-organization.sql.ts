import type { PoolClient } from 'pg'
import type { Organization } from '#domain/organizations/organization.ts'

// The credit line is the wallet's; both change together.
const text = `WITH line AS (
    UPDATE wallets SET credit_line_nano = $9
    WHERE owner_kind = 'organization' AND owner_id = $1 AND credit_line_nano <> $9
  )
  UPDATE organizations SET name = $2, plan = $3, billing_mode = $4, seats = $5, settings = $6,
    weekly_budget_nano = $7, monthly_budget_nano = $8,
    suspended_at = CASE WHEN $10 THEN coalesce(suspended_at, now()) END, updated_at = now()
  WHERE id = $1`

export async function updateOrganization(client: PoolClient, organization: Organization): Promise<void> {
  await client.query(text, [
    organization.id,
    organization.name,
    organization.plan,
    organization.billing,
    organization.seats,
    JSON.stringify(organization.settings),
    organization.weeklyBudget,
    organization.monthlyBudget,
    organization.creditLine,
    organization.suspended,
  ])
}
