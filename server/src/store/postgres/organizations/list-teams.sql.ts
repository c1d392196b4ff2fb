import type { Pool } from 'pg'
import type { TeamListing } from '#domain/organizations/team.ts'
import type { PlaceQuery } from '#ports/organizations.ts'
import { readNano } from '../nano-column.ts'
import { readTeam, type TeamRow } from './find-team.sql.ts'

const text = `SELECT t.id, t.organization_id, t.name, t.description, t.cost_center_code, t.permission_scope, t.monthly_budget_nano,
    t.created_at, t.updated_at, coalesce((SELECT sum(d.spent_nano) FROM spend_days d
      WHERE d.kind = 'team' AND d.owner_id = t.id AND d.day >= $3::date), 0) AS spent_nano,
    (SELECT count(*)::integer FROM members m WHERE m.team_id = t.id) AS member_count
  FROM teams t
  WHERE t.organization_id = $1 AND ($2::uuid IS NULL OR t.id = $2)
  ORDER BY lower(t.name), t.id`

interface Row extends TeamRow {
  created_at: Date
  updated_at: Date
  spent_nano: string
  member_count: number
}

export async function listTeams(pool: Pool, query: PlaceQuery): Promise<TeamListing[]> {
  const values = [query.organizationId, query.teamId ?? null, query.monthStart]
  const { rows } = await pool.query<Row>(text, values)
  return rows.map((row) => ({
    ...readTeam(row),
    memberCount: row.member_count,
    spentThisMonth: readNano(row.spent_nano),
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }))
}
