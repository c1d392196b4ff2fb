import type { Pool } from 'pg'
import type { MemberListing } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PlaceQuery } from '#ports/organizations.ts'
import { readNano } from '../nano-column.ts'
import type { MemberRow } from './find-member.sql.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT m.id, m.user_id, u.name AS user_name, u.email, m.role, m.team_id, t.name AS team_name, m.monthly_budget_nano,
    m.joined_at, coalesce((SELECT sum(d.spent_nano) FROM spend_days d
      WHERE d.kind = 'member' AND d.owner_id = m.id AND d.day >= $4::date), 0) AS spent_nano
  FROM members m JOIN users u ON u.id = m.user_id LEFT JOIN teams t ON t.id = m.team_id
  WHERE m.organization_id = $1 AND ($2::uuid IS NULL OR m.team_id = $2) AND ($3::uuid IS NULL OR m.id = $3)
  ORDER BY m.joined_at, m.id`

interface Row extends MemberRow {
  user_name: string
  email: string
  team_name: string | null
  joined_at: Date
  spent_nano: string
}

export async function listMembers(pool: Pool, query: PlaceQuery & { memberId?: Uuid }): Promise<MemberListing[]> {
  const values = [query.organizationId, query.teamId ?? null, query.memberId ?? null, query.monthStart]
  const { rows } = await pool.query<Row>(text, values)
  return rows.map((row) => ({
    id: row.id,
    user: { id: row.user_id, name: row.user_name, email: row.email },
    team: row.team_id === null || row.team_name === null ? null : { id: row.team_id, name: row.team_name },
    role: row.role,
    joinedAtMs: row.joined_at.getTime(),
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    spentThisMonth: readNano(row.spent_nano),
  }))
}
