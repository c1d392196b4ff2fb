import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { Spenders, SpendingMember, SpendingTeam } from '#ports/organizations.ts'
import { readNullableNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

/** Cheaper than the team and member lists, which sum the current month for each row. */
export function createSpenders(pool: Pool): Spenders {
  return {
    findWallet: (organizationId) => refuseWhenAway(findOrganizationWallet(pool, organizationId)),
    listTeams: (organizationId) => refuseWhenAway(listSpendingTeams(pool, organizationId)),
    listMembers: (query) => refuseWhenAway(listSpendingMembers(pool, query)),
  }
}

async function findOrganizationWallet(pool: Pool, organizationId: Uuid): Promise<Uuid | null> {
  const text = `SELECT id FROM wallets WHERE owner_kind = 'organization' AND owner_id = $1`
  const { rows } = await pool.query<{ id: string }>(text, [organizationId])
  return rows[0]?.id ?? null
}

interface SpendingTeamRow {
  id: string
  name: string
  cost_center_code: string | null
  monthly_budget_nano: string | null
  created_at: Date
}

async function listSpendingTeams(pool: Pool, organizationId: Uuid): Promise<SpendingTeam[]> {
  const text = `SELECT id, name, cost_center_code, monthly_budget_nano, created_at FROM teams
    WHERE organization_id = $1 ORDER BY lower(name), id`
  const { rows } = await pool.query<SpendingTeamRow>(text, [organizationId])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    costCenterCode: row.cost_center_code,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    createdAtMs: row.created_at.getTime(),
  }))
}

interface SpendingMemberRow {
  id: string
  user_id: string
  user_name: string
  email: string
  team_id: string | null
  team_name: string | null
  monthly_budget_nano: string | null
  joined_at: Date | null
}

async function listSpendingMembers(
  pool: Pool,
  { organizationId, mentioned }: { organizationId: Uuid; mentioned: readonly Uuid[] },
): Promise<SpendingMember[]> {
  // An ended membership leaves no row. Its keys are revoked but kept, and identify their owner.
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
  const { rows } = await pool.query<SpendingMemberRow>(text, [organizationId, mentioned])
  return rows.map((row) => ({
    id: row.id,
    user: { id: row.user_id, name: row.user_name, email: row.email },
    team: row.team_id === null || row.team_name === null ? null : { id: row.team_id, name: row.team_name },
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    joinedAtMs: row.joined_at?.getTime() ?? null,
  }))
}
