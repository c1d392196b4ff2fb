import type { Pool } from 'pg'
import type { SinkListing } from '#ports/event-sinks.ts'

// Counting goes on no further: whoever is so far behind need not know it to the last event.
const countMax = 1_000_000

const text = `SELECT s.name, s.sent_at, s.failing_since, s.last_error, s.due_at, w.waiting, o.settled_at AS waiting_since
  FROM event_sinks s
  CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM (
    SELECT 1 FROM generations g WHERE g.settled_mark >= s.sent_below LIMIT $1 + 1) AS counted) AS w
  LEFT JOIN LATERAL (SELECT g.settled_at FROM generations g WHERE g.settled_mark >= s.sent_below
    ORDER BY g.settled_mark LIMIT 1) AS o ON true
  ORDER BY s.name`

interface Row {
  name: string
  sent_at: Date | null
  failing_since: Date | null
  last_error: string | null
  due_at: Date | null
  waiting: string
  waiting_since: Date | null
}

export async function listEventSinks(pool: Pool): Promise<SinkListing[]> {
  const { rows } = await pool.query<Row>({ name: 'list-event-sinks', text, values: [countMax] })
  return rows.map((row) => ({
    name: row.name,
    waiting: Math.min(Number(row.waiting), countMax),
    isMore: Number(row.waiting) > countMax,
    waitingSinceMs: row.waiting_since?.getTime() ?? null,
    sentAtMs: row.sent_at?.getTime() ?? null,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    lastError: row.last_error,
    dueAtMs: row.due_at?.getTime() ?? null,
  }))
}
