import type { Pool, PoolClient } from 'pg'
import type { SinkListing } from '#ports/event-sinks.ts'

/** Starts new sinks at the current position, or at the very first request, and makes all sinks due immediately. */
export async function beginEventSinks(pool: Pool, names: readonly string[], fromStart: boolean): Promise<void> {
  // Positions begin at 1: requests from before positions existed all have 0 and would all be in one batch.
  const text = `INSERT INTO event_sinks (name, sent_below)
    SELECT name, CASE WHEN $2 THEN 1 ELSE rolled_up_below END FROM unnest($1::text[]) AS name, rollup_state
    ON CONFLICT (name) DO UPDATE SET due_at = NULL`
  await pool.query({ name: 'begin-event-sinks', text, values: [names, fromStart] })
}

/** Deletes all sinks except these, and returns the deleted ones. */
export async function forgetEventSinks(pool: Pool, names: readonly string[]): Promise<string[]> {
  const text = 'DELETE FROM event_sinks WHERE name <> ALL ($1) RETURNING name'
  const { rows } = await pool.query<{ name: string }>({ name: 'forget-event-sinks', text, values: [names] })
  return rows.map(({ name }) => name)
}

const lockText = `SELECT pg_try_advisory_lock(hashtext('weir.events'), hashtext($1)) AS locked`
const unlockText = `SELECT pg_advisory_unlock(hashtext('weir.events'), hashtext($1))`

/**
 * Returns false if another worker has this sink. The lock belongs to the connection, so it also ends with the process.
 */
export async function lockEventSink(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'lock-event-sink',
    text: lockText,
    values: [name],
  })
  return rows[0]?.locked === true
}

export async function unlockEventSink(client: PoolClient, name: string): Promise<void> {
  await client.query({ name: 'unlock-event-sink', text: unlockText, values: [name] })
}

export interface Waiting {
  sentBelow: string
  rolledUpBelow: string
  failingForMs: number
}

export async function findWaiting(client: PoolClient, name: string): Promise<Waiting | null> {
  // No row means that there is nothing to do: the sink was deleted, is paused, or has every event that is rolled up.
  const text = `SELECT s.sent_below AS "sentBelow", r.rolled_up_below AS "rolledUpBelow",
      coalesce(extract(epoch FROM clock_timestamp() - s.failing_since) * 1000, 0)::float8 AS "failingForMs"
    FROM event_sinks s, rollup_state r
    WHERE s.name = $1 AND s.sent_below < r.rolled_up_below AND (s.due_at IS NULL OR s.due_at <= clock_timestamp())`
  const { rows } = await client.query<Waiting>({ name: 'find-waiting-events', text, values: [name] })
  return rows[0] ?? null
}

/** The position after the transaction that contains the last of this many events, or null if there are fewer. */
export async function findEventsEnd(
  client: PoolClient,
  { from, below, atMost }: { from: string; below: string; atMost: number },
): Promise<string | null> {
  const text = `SELECT settled_position + 1 AS below FROM generations WHERE settled_position >= $1 AND settled_position < $2
    ORDER BY settled_position OFFSET $3 LIMIT 1`
  const values = [from, below, atMost - 1]
  const { rows } = await client.query<{ below: string }>({ name: 'find-events-end', text, values })
  return rows[0]?.below ?? null
}

/** Records that everything below `to` has been sent. A worker that has lost its turn changes nothing. */
export async function moveEventSink(
  client: PoolClient,
  { name, from, to, hasSent }: { name: string; from: string; to: string; hasSent: boolean },
): Promise<void> {
  const text = `UPDATE event_sinks SET sent_below = $3, sent_at = CASE WHEN $4 THEN clock_timestamp() ELSE sent_at END,
      last_error = NULL, failing_since = NULL, due_at = NULL
    WHERE name = $1 AND sent_below = $2`
  const { rowCount } = await client.query({ name: 'move-event-sink', text, values: [name, from, to, hasSent] })
  if (rowCount !== 1) throw new Error(`another worker already sent the same events to ${name}`)
}

/** Records the failure and the time of the next attempt. */
export async function failEventSink(
  client: PoolClient,
  { name, error, againInMs }: { name: string; error: string; againInMs: number },
): Promise<void> {
  const text = `UPDATE event_sinks SET last_error = $2, failing_since = coalesce(failing_since, clock_timestamp()),
      due_at = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE name = $1`
  await client.query({ name: 'fail-event-sink', text, values: [name, error, againInMs] })
}

// Counting stops here: an exact count does not matter for a sink this far behind.
const countMax = 1_000_000

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
  const text = `SELECT s.name, s.sent_at, s.failing_since, s.last_error, s.due_at, w.waiting, o.settled_at AS waiting_since
    FROM event_sinks s
    CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM (
      SELECT 1 FROM generations g WHERE g.settled_position >= s.sent_below LIMIT $1 + 1) AS counted) AS w
    LEFT JOIN LATERAL (SELECT g.settled_at FROM generations g WHERE g.settled_position >= s.sent_below
      ORDER BY g.settled_position LIMIT 1) AS o ON true
    ORDER BY s.name`
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
