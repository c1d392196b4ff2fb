import type { Pool } from 'pg'
import type { AccountCircuits, CircuitChange } from '#ports/circuits.ts'

/** Writes the circuits that one gateway sees. Deleted accounts and accounts of test models have no row. */
export async function writeCircuits(pool: Pool, gateway: string, changes: readonly CircuitChange[]): Promise<void> {
  const text = `WITH changed AS (
      SELECT a.id AS account_id, u.model, u.is_open, u.reason, to_timestamp(u.opened_at / 1000.0) AS opened_at
      FROM unnest($2::text[], $3::text[], $4::boolean[], $5::text[], $6::bigint[]) AS u (account_id, model, is_open, reason, opened_at)
      JOIN provider_accounts a ON a.id::text = u.account_id
    ), closed AS (
      DELETE FROM provider_circuits c USING changed u
      WHERE NOT u.is_open AND c.account_id = u.account_id AND c.upstream_model = u.model AND c.gateway = $1
    )
    INSERT INTO provider_circuits AS c (account_id, upstream_model, gateway, reason, opened_at, tried_at)
    SELECT u.account_id, u.model, $1, u.reason, u.opened_at, clock_timestamp()
    FROM changed u WHERE u.is_open
    ON CONFLICT (account_id, upstream_model, gateway)
      DO UPDATE SET reason = excluded.reason, opened_at = excluded.opened_at, tried_at = excluded.tried_at`
  await pool.query({
    name: 'write-circuits',
    text,
    values: [
      gateway,
      changes.map(({ accountId }) => accountId),
      changes.map(({ upstreamModel }) => upstreamModel),
      changes.map(({ to }) => to === 'open'),
      changes.map(({ reason }) => reason),
      changes.map(({ openedAtMs }) => Math.floor(openedAtMs)),
    ],
  })
}

/** Deletes a gateway's rows when it stops. */
export async function forgetCircuits(pool: Pool, gateway: string): Promise<void> {
  await pool.query('DELETE FROM provider_circuits WHERE gateway = $1', [gateway])
}

/**
 * A gateway that died leaves its rows behind. A live gateway probes a circuit long before this, if a client asks for
 * the model.
 */
const staleAfter = `interval '1 hour'`

export async function listCircuits(pool: Pool): Promise<AccountCircuits[]> {
  const text = `SELECT account_id AS "accountId", array_agg(DISTINCT upstream_model ORDER BY upstream_model) AS models,
      count(DISTINCT gateway)::integer AS gateways, (array_agg(reason ORDER BY tried_at DESC))[1] AS reason,
      min(opened_at) AS "openedAt"
    FROM provider_circuits WHERE tried_at > clock_timestamp() - ${staleAfter} GROUP BY account_id`
  const { rows } = await pool.query<Omit<AccountCircuits, 'openedAtMs'> & { openedAt: Date }>(text)
  return rows.map(({ openedAt, ...row }) => ({ ...row, openedAtMs: openedAt.getTime() }))
}
