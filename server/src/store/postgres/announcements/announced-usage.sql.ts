import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// Sums of whole accounts are kept when requests are deleted, and have few rows for each customer and model.
const usedSince = `s.key_id IS NULL AND s.model = ANY ($1::text[]) AND EXISTS (
    SELECT FROM usage_account_days d WHERE d.wallet_id = s.wallet_id AND d.series_id = s.id
      AND d.day >= ($2::timestamptz AT TIME ZONE 'UTC' - interval '30 days')::date AND d.requests > d.failed)`

/** How many customers used one of the models in the 30 days before. */
export async function countCustomers(
  connection: Pool | PoolClient,
  models: readonly string[],
  nowMs: number,
): Promise<number> {
  if (models.length === 0) return 0
  const text = `SELECT count(DISTINCT s.wallet_id)::integer AS customers FROM usage_series s WHERE ${usedSince}`
  const { rows } = await connection.query<{ customers: number }>(text, [models, new Date(nowMs)])
  return rows[0]?.customers ?? 0
}

export interface ModelCustomer {
  readonly wallet_id: Uuid
  readonly models: string[]
  /** Null for a personal wallet. */
  readonly organization: string | null
}

/** The next customers of the models, in the order of their wallets. */
export async function nextCustomers(
  client: PoolClient,
  { models, nowMs, after, atMost }: { models: readonly string[]; nowMs: number; after: Uuid | null; atMost: number },
): Promise<ModelCustomer[]> {
  const text = `SELECT u.wallet_id, u.models, o.name AS organization FROM (
      SELECT s.wallet_id, array_agg(DISTINCT s.model ORDER BY s.model) AS models FROM usage_series s
      WHERE ${usedSince} AND ($3::uuid IS NULL OR s.wallet_id > $3) GROUP BY s.wallet_id ORDER BY s.wallet_id LIMIT $4
    ) u JOIN wallets w ON w.id = u.wallet_id
      LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    ORDER BY u.wallet_id`
  const { rows } = await client.query<ModelCustomer>(text, [models, new Date(nowMs), after, atMost])
  return rows
}
