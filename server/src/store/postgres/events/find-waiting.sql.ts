import type { PoolClient } from 'pg'

export interface Waiting {
  sentBelow: string
  foldedBelow: string
  failingForMs: number
}

// No row means that nothing is to be done: the sink was forgotten, pauses, or has everything that is folded.
const text = `SELECT s.sent_below AS "sentBelow", r.folded_below AS "foldedBelow",
    coalesce(extract(epoch FROM clock_timestamp() - s.failing_since) * 1000, 0)::float8 AS "failingForMs"
  FROM event_sinks s, rollup_state r
  WHERE s.name = $1 AND s.sent_below < r.folded_below AND (s.due_at IS NULL OR s.due_at <= clock_timestamp())`

export async function findWaiting(client: PoolClient, name: string): Promise<Waiting | null> {
  const { rows } = await client.query<Waiting>({ name: 'find-waiting-events', text, values: [name] })
  return rows[0] ?? null
}
