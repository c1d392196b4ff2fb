import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { SpendingMember } from '#ports/spenders.ts'
import { readNullableNano } from '../nano-column.ts'

// A membership that has ended leaves no row. Its keys do: they are revoked and kept, and say whose they were.
const text = `SELECT m.id, m.user_id, u.name AS user_name, u.email, m.team_id, t.name AS team_name, m.monthly_budget_nano, m.joined_at
  FROM members m JOIN users u ON u.id = m.user_id LEFT JOIN teams t ON t.id = m.team_id
  WHERE m.organization_id = $1
  UNION ALL
  SELECT l.id, u.id, u.name, u.email, NULL, NULL, NULL, NULL
  FROM (SELECT DISTINCT k.member_id AS id, k.user_id FROM api_keys k
        WHERE k.organization_id = $1 AND k.member_id = ANY ($2)
          AND NOT EXISTS (SELECT FROM members m WHERE m.id = k.member_id)) AS l
  JOIN users u ON u.id = l.user_id
  ORDER BY joined_at NULLS LAST, id`

interface Row {
  id: string
  user_id: string
  user_name: string
  email: string
  team_id: string | null
  team_name: string | null
  monthly_budget_nano: string | null
  joined_at: Date | null
}

export async function listSpendingMembers(
  pool: Pool,
  { organizationId, mentioned }: { organizationId: Uuid; mentioned: readonly Uuid[] },
): Promise<SpendingMember[]> {
  const { rows } = await pool.query<Row>(text, [organizationId, mentioned])
  return rows.map((row) => ({
    id: row.id,
    user: { id: row.user_id, name: row.user_name, email: row.email },
    team: row.team_id === null || row.team_name === null ? null : { id: row.team_id, name: row.team_name },
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    joinedAtMs: row.joined_at?.getTime() ?? null,
  }))
}
