import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// A key that manages belongs to no team, whoever made it: no team's administrator has a say in it, and neither in keys of
// those who only sit in the team.
const text = `SELECT k.id, CASE WHEN k.type = 'standard' THEN coalesce(k.team_id,
    CASE WHEN m.role IN ('team_admin', 'member') THEN m.team_id END) END AS team_id
  FROM api_keys k LEFT JOIN members m ON m.id = k.member_id
  WHERE k.organization_id = $1 AND k.id = $2 AND k.revoked_at IS NULL`

export async function findKeyPlace(
  pool: Pool,
  { organizationId, keyId }: { organizationId: Uuid; keyId: Uuid },
): Promise<{ id: Uuid; teamId: Uuid | null } | null> {
  const { rows } = await pool.query<{ id: string; team_id: string | null }>(text, [organizationId, keyId])
  const [row] = rows
  return row === undefined ? null : { id: row.id, teamId: row.team_id }
}
