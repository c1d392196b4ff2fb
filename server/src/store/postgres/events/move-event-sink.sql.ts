import type { PoolClient } from 'pg'

const text = `UPDATE event_sinks SET sent_below = $3, sent_at = CASE WHEN $4 THEN clock_timestamp() ELSE sent_at END,
    last_error = NULL, failing_since = NULL, due_at = NULL
  WHERE name = $1 AND sent_below = $2`

/** Everything below `to` has been sent. Whoever has lost its turn moves nothing. */
export async function moveEventSink(
  client: PoolClient,
  { name, from, to, hasSent }: { name: string; from: string; to: string; hasSent: boolean },
): Promise<void> {
  const { rowCount } = await client.query({ name: 'move-event-sink', text, values: [name, from, to, hasSent] })
  if (rowCount !== 1) throw new Error(`somebody else has sent the same events to ${name}`)
}
