import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { ProvisioningOverview, ScimFailure } from '#ports/provisioning.ts'

interface Row {
  people: number
  active_people: number
  groups: number
  last_sync_at: Date | null
  failures: { at: string; request: string; status: number; detail: string }[]
}

export async function readOverview(pool: Pool, organizationId: Uuid): Promise<ProvisioningOverview> {
  const text = `SELECT
      (SELECT count(*)::integer FROM scim_users WHERE organization_id = $1) AS people,
      (SELECT count(*)::integer FROM scim_users s JOIN members m ON m.id = s.member_id
        WHERE s.organization_id = $1 AND m.suspended_at IS NULL) AS active_people,
      (SELECT count(*)::integer FROM scim_groups WHERE organization_id = $1) AS groups,
      (SELECT max(last_used_at) FROM scim_tokens WHERE organization_id = $1) AS last_sync_at,
      coalesce((SELECT json_agg(json_build_object('at', f.at, 'request', f.request, 'status', f.status, 'detail', f.detail)
        ORDER BY f.id DESC) FROM scim_failures f WHERE f.organization_id = $1), '[]'::json) AS failures`
  const { rows } = await pool.query<Row>(text, [organizationId])
  const [row] = rows
  if (row === undefined) throw new Error('the query must return a row')
  return {
    people: row.people,
    activePeople: row.active_people,
    groups: row.groups,
    lastSyncAtMs: row.last_sync_at?.getTime() ?? null,
    failures: row.failures.map(({ at, ...failure }) => ({ ...failure, atMs: Date.parse(at) })),
  }
}

const failuresMax = 20

/** Keeps the newest failures only. */
export async function insertFailure(
  pool: Pool,
  { organizationId, request, status, detail }: { organizationId: Uuid } & Omit<ScimFailure, 'atMs'>,
): Promise<void> {
  const text = `WITH old AS (
      DELETE FROM scim_failures WHERE id IN (SELECT id FROM scim_failures WHERE organization_id = $1
        ORDER BY id DESC OFFSET ${failuresMax - 1} FOR UPDATE SKIP LOCKED)
    )
    INSERT INTO scim_failures (organization_id, request, status, detail) VALUES ($1, $2, $3, $4)`
  await pool.query(text, [organizationId, request, status, detail])
}
