import type { Pool } from 'pg'

/** One figure about the workers' backlog. */
export interface WorkerFigure {
  readonly figure:
    | 'rollup_lag'
    | 'sink_lag'
    | 'sink_waiting'
    | 'videos'
    | 'webhooks'
    | 'webhook_lag'
    | 'mails'
    | 'debt'
    | 'database_bytes'
    | 'database_disk_bytes'
  /** The sink or the state, or empty if there is only one figure. */
  readonly label: string
  readonly value: number
}

// Counting further would take longer than the figure is worth.
const countMax = 100_000

const text = `
  SELECT 'rollup_lag' AS figure, '' AS label, coalesce((SELECT extract(epoch FROM clock_timestamp() - g.settled_at)
    FROM generations g WHERE g.settled_position >= r.rolled_up_below ORDER BY g.settled_position LIMIT 1), 0)::float8 AS value FROM rollup_state r
  UNION ALL
  SELECT 'sink_lag', s.name, coalesce((SELECT extract(epoch FROM clock_timestamp() - g.settled_at)
    FROM generations g WHERE g.settled_position >= s.sent_below ORDER BY g.settled_position LIMIT 1), 0)::float8 FROM event_sinks s
  UNION ALL
  SELECT 'sink_waiting', s.name, (SELECT count(*) FROM (
    SELECT 1 FROM generations g WHERE g.settled_position >= s.sent_below LIMIT $1) AS counted)::float8 FROM event_sinks s
  UNION ALL
  SELECT 'videos', states.state, (SELECT count(*) FROM video_jobs v
    WHERE v.state <> ALL (ARRAY['completed', 'failed']) AND v.state = states.state)::float8
  FROM unnest(ARRAY['accepted', 'submitting', 'unknown', 'running', 'storing']) AS states (state)
  UNION ALL
  SELECT 'webhooks', states.state, (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d
    WHERE d.due_at IS NOT NULL AND d.delivered_at IS NULL AND (d.attempts > 0) = (states.state = 'retrying') LIMIT $1) AS counted)::float8
  FROM unnest(ARRAY['waiting', 'retrying']) AS states (state)
  UNION ALL
  SELECT 'webhook_lag', '', coalesce((SELECT greatest(extract(epoch FROM clock_timestamp() - d.due_at), 0)
    FROM webhook_deliveries d WHERE d.due_at IS NOT NULL ORDER BY d.due_at LIMIT 1), 0)::float8
  UNION ALL
  SELECT 'mails', states.state, (SELECT count(*) FROM (SELECT 1 FROM mail_outbox m
    WHERE m.due_at IS NOT NULL AND (m.last_error IS NOT NULL) = (states.state = 'retrying') LIMIT $1) AS counted)::float8
  FROM unnest(ARRAY['waiting', 'retrying']) AS states (state)`

/** Each query uses an index, and none reads wallets. */
export async function readWorkerFigures(pool: Pool): Promise<WorkerFigure[]> {
  const { rows } = await pool.query<WorkerFigure>({ name: 'worker-figures', text, values: [countMax] })
  return rows
}

const debtText = `
  SELECT 'debt' AS figure, '' AS label, coalesce(sum(-(w.balance_nano::numeric + w.credit_line_nano)) / 1e9, 0)::float8 AS value
  FROM wallets w WHERE w.balance_nano < -w.credit_line_nano`

/**
 * Reads all wallets, so it runs rarely. No index can help: if an index used the balance, every settle would write to
 * every index of the table, because Postgres could no longer update the row in place.
 */
export async function readDebt(pool: Pool): Promise<WorkerFigure[]> {
  const { rows } = await pool.query<WorkerFigure>({ name: 'worker-debt', text: debtText })
  return rows
}
