import type { Pool, PoolClient } from 'pg'
import type { Actor } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Placement } from '#ports/provisioning.ts'

/** A member who waits already is placed once, for the later change. */
export async function queuePlacements(
  client: PoolClient,
  organizationId: Uuid,
  { memberIds, actor, requestId }: Pick<Placement, 'actor' | 'requestId'> & { memberIds: readonly Uuid[] },
): Promise<void> {
  const text = `INSERT INTO scim_placements (member_id, organization_id, actor, request_id)
    SELECT m.id, $1, $3, $4 FROM members m WHERE m.organization_id = $1 AND m.id = ANY ($2::uuid[])
    ON CONFLICT (member_id) DO UPDATE SET actor = excluded.actor, request_id = excluded.request_id`
  await client.query(text, [organizationId, memberIds, JSON.stringify(actor), requestId])
}

/** The members who have waited longest. Rolled back, they wait again. */
export async function takePlacements(client: PoolClient, organizationId: Uuid, atMost: number): Promise<Placement[]> {
  const text = `DELETE FROM scim_placements WHERE member_id IN (
      SELECT member_id FROM scim_placements WHERE organization_id = $1 ORDER BY created_at, member_id LIMIT $2)
    RETURNING member_id, actor, request_id`
  const { rows } = await client.query<{ member_id: string; actor: Actor; request_id: string | null }>(text, [
    organizationId,
    atMost,
  ])
  return rows.map((row) => ({ memberId: row.member_id, actor: row.actor, requestId: row.request_id }))
}

export async function listUnplaced(pool: Pool, atMost: number): Promise<Uuid[]> {
  const text = `SELECT organization_id FROM scim_placements GROUP BY 1 ORDER BY min(created_at), 1 LIMIT $1`
  const { rows } = await pool.query<{ organization_id: string }>(text, [atMost])
  return rows.map((row) => row.organization_id)
}
