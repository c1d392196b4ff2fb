import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { BudgetedPerson } from '#ports/organizations.ts'
import { readNullableNano } from '../column-values.ts'

/** Everyone who can spend, or could after accepting. A link counts for each use that is left. */
export async function listBudgeted(client: PoolClient, organizationId: Uuid, nowMs: number): Promise<BudgetedPerson[]> {
  const text = `SELECT lower(u.email) AS email, m.team_id, m.monthly_budget_nano, 1 AS count
    FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND m.suspended_at IS NULL
    UNION ALL
    SELECT i.email, i.team_id, i.monthly_budget_nano, i.uses_max - i.uses FROM invitations i
    WHERE i.organization_id = $1 AND i.revoked_at IS NULL AND i.uses < i.uses_max AND i.expires_at > $2`
  type Row = { email: string | null; team_id: string | null; monthly_budget_nano: string | null; count: number }
  const { rows } = await client.query<Row>(text, [organizationId, new Date(nowMs)])
  return rows.map((row) => ({
    email: row.email,
    teamId: row.team_id,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    count: row.count,
  }))
}
