import type { Pool } from 'pg'

// Marks begin at 1: requests from before there were marks all have 0, and would have to go in one batch.
const text = `INSERT INTO event_sinks (name, sent_below)
  SELECT name, CASE WHEN $2 THEN 1 ELSE folded_below END FROM unnest($1::text[]) AS name, rollup_state
  ON CONFLICT (name) DO UPDATE SET due_at = NULL`

/** Begins sinks that are new, here or with the very first request, and lets all be tried at once. */
export async function beginEventSinks(pool: Pool, names: readonly string[], fromStart: boolean): Promise<void> {
  await pool.query({ name: 'begin-event-sinks', text, values: [names, fromStart] })
}
