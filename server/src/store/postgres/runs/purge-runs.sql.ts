import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '../with-client.ts'

/**
 * Stops runs whose requests have all expired, and deletes them an hour later. Returns how many it stopped or deleted.
 * Gateways know a run's terms for up to 15 seconds: without the stop, a request could spend the budget of a deleted run
 * again. A run with child runs waits for them.
 */
export async function purgeRuns(pool: Pool, atMost: number): Promise<number> {
  await pool.query(noteActive, [atMost])
  const { rowCount } = await pool.query(stopIdle, [atMost])
  return (rowCount ?? 0) + (await inTransaction(pool, 'READ COMMITTED', (client) => deleteStopped(client, atMost)))
}

/** Runs, `r`, that were created before the oldest request that is kept. The index has them in this order. */
const old = `runs r CROSS JOIN rollup_state s WHERE coalesce(r.active_at, r.created_at) < s.retained_from`
const lastRequest = `(SELECT max(d.last_at) FROM spend_days d WHERE d.kind = 'run' AND d.owner_id = r.id)`
const isIdle = `coalesce(${lastRequest} < s.retained_from, true)
  AND NOT EXISTS (SELECT FROM runs c WHERE c.parent_id = r.id)
  AND NOT EXISTS (SELECT FROM spend_windows w
    WHERE w.kind = 'run_life' AND w.owner_id = r.id AND w.starts_at = 0 AND w.held_nano > 0)`
const isOver = `r.stopped_at < clock_timestamp() - interval '1 hour'`
const order = 'ORDER BY coalesce(r.active_at, r.created_at)'

/** Records the last request, so that an old but active run is checked once per retention period. */
const noteActive = `UPDATE runs u SET active_at = n.at FROM (
    SELECT r.id, ${lastRequest} AS at FROM ${old} AND ${lastRequest} >= s.retained_from ${order} LIMIT $1
  ) AS n WHERE u.id = n.id`

const stopIdle = `UPDATE runs u SET stopped_at = clock_timestamp(), stop_reason = 'Its requests have expired.' FROM (
    SELECT r.id FROM ${old} AND r.stopped_at IS NULL AND ${isIdle} ${order} LIMIT $1 FOR UPDATE OF r SKIP LOCKED
  ) AS n WHERE u.id = n.id`

/** The counts are locked before the runs, as by the creation of a run. */
async function deleteStopped(client: PoolClient, atMost: number): Promise<number> {
  const { rows: stopped } = await client.query<{ id: string; wallet_id: string }>(
    `SELECT r.id, r.wallet_id FROM ${old} AND ${isOver} AND ${isIdle} ${order} LIMIT $1`,
    [atMost],
  )
  if (stopped.length === 0) return 0
  const wallets = [...new Set(stopped.map((row) => row.wallet_id))]
  await client.query('SELECT 1 FROM run_counts WHERE wallet_id = ANY ($1::uuid[]) ORDER BY wallet_id FOR UPDATE', [
    wallets,
  ])
  const { rows } = await client.query<{ deleted: number }>(
    `WITH over AS (
       SELECT r.id FROM ${old} AND r.id = ANY ($1::uuid[]) AND ${isOver} AND ${isIdle} FOR UPDATE OF r SKIP LOCKED
     ), models AS (
       DELETE FROM run_models m USING over o WHERE m.run_id = o.id
     ), days AS (
       DELETE FROM spend_days d USING over o WHERE d.kind = 'run' AND d.owner_id = o.id
     ), windows AS (
       DELETE FROM spend_windows w USING over o WHERE w.kind = 'run_life' AND w.owner_id = o.id AND w.starts_at = 0
     ), gone AS (
       DELETE FROM runs r USING over o WHERE r.id = o.id RETURNING r.wallet_id
     ), counted AS (
       UPDATE run_counts n SET runs = n.runs - g.runs
       FROM (SELECT wallet_id, count(*) AS runs FROM gone GROUP BY 1) AS g WHERE n.wallet_id = g.wallet_id
     )
     SELECT count(*)::integer AS deleted FROM gone`,
    [stopped.map((row) => row.id)],
  )
  return rows[0]?.deleted ?? 0
}
