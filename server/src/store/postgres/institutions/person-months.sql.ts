import type { Pool, PoolClient } from 'pg'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'

const quotaKinds: readonly ScopeKind[] = ['person_month']

/**
 * Recounts the monthly spend of a key's people. A change of the quota calls it in the same transaction, because nothing
 * was counted while there was no quota.
 */
export async function recountPersons(client: PoolClient, keyId: Uuid): Promise<void> {
  const text = `SELECT recount_windows($2::text[],
    ARRAY(SELECT DISTINCT person_id FROM institution_person_months WHERE key_id = $1 ORDER BY 1))`
  await client.query({ name: 'recount-persons', text, values: [keyId, quotaKinds] })
}

/**
 * Deletes the spend of people in months that ended a week ago, up to a maximum of each kind, and returns how many rows.
 * A settle that comes later still creates rows for its month; a later round deletes them.
 */
export async function purgePersonMonths(pool: Pool, atMost: number): Promise<number> {
  const text = `WITH bounds AS (
      SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - interval '7 days')::date AS first_kept
    ), months AS (
      DELETE FROM institution_person_months WHERE (person_id, month) IN (
        SELECT person_id, month FROM institution_person_months, bounds WHERE month < first_kept
        ORDER BY month, key_id LIMIT $1 FOR UPDATE OF institution_person_months SKIP LOCKED) RETURNING 1
    ), windows AS (
      DELETE FROM spend_windows s USING (
        SELECT w.kind, w.owner_id, w.starts_at FROM spend_windows w, bounds
        WHERE w.kind = ANY ($2::text[]) AND w.held_nano = 0
          AND w.starts_at < (extract(epoch FROM first_kept::timestamp AT TIME ZONE 'UTC') * 1000)::bigint
        ORDER BY w.owner_id LIMIT $1 FOR UPDATE OF w SKIP LOCKED
      ) AS old WHERE s.kind = old.kind AND s.owner_id = old.owner_id AND s.starts_at = old.starts_at RETURNING 1)
    SELECT ((SELECT count(*) FROM months) + (SELECT count(*) FROM windows))::integer AS purged`
  const { rows } = await pool.query<{ purged: number }>(text, [atMost, quotaKinds])
  return rows[0]?.purged ?? 0
}
