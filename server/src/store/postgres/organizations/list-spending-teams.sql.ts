import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { SpendingTeam } from '#ports/spenders.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT id, name, cost_center_code, monthly_budget_nano, created_at FROM teams
  WHERE organization_id = $1 ORDER BY lower(name), id`

interface Row {
  id: string
  name: string
  cost_center_code: string | null
  monthly_budget_nano: string | null
  created_at: Date
}

export async function listSpendingTeams(pool: Pool, organizationId: Uuid): Promise<SpendingTeam[]> {
  const { rows } = await pool.query<Row>(text, [organizationId])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    costCenterCode: row.cost_center_code,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    createdAtMs: row.created_at.getTime(),
  }))
}
