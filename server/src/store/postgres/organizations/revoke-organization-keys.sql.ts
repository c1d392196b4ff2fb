import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// The rows stay, because the records of their requests refer to them.
const text = `UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now()
  WHERE organization_id = $1 AND revoked_at IS NULL
    AND ($2::uuid IS NULL OR member_id = $2) AND ($3::uuid IS NULL OR team_id = $3)
  RETURNING id`

/** A member's keys, a team's, or a member's for a team; the answer names them. */
export async function revokeOrganizationKeys(
  client: PoolClient,
  { organizationId, memberId, teamId }: { organizationId: Uuid; memberId: Uuid | null; teamId: Uuid | null },
): Promise<Uuid[]> {
  const { rows } = await client.query<{ id: string }>(text, [organizationId, memberId, teamId])
  return rows.map(({ id }) => id)
}
