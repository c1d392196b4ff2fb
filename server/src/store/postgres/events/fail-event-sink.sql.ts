import type { PoolClient } from 'pg'

const text = `UPDATE event_sinks SET last_error = $2, failing_since = coalesce(failing_since, clock_timestamp()),
    due_at = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE name = $1`

/** What went wrong, and when to try again. */
export async function failEventSink(
  client: PoolClient,
  { name, error, againInMs }: { name: string; error: string; againInMs: number },
): Promise<void> {
  await client.query({ name: 'fail-event-sink', text, values: [name, error, againInMs] })
}
