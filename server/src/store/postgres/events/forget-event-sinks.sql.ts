import type { Pool } from 'pg'

const text = 'DELETE FROM event_sinks WHERE name <> ALL ($1) RETURNING name'

/** Deletes all sinks but these, and answers which. */
export async function forgetEventSinks(pool: Pool, names: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({ name: 'forget-event-sinks', text, values: [names] })
  return rows.map(({ name }) => name)
}
