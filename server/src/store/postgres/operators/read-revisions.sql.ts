import type { Pool } from 'pg'

const text = 'SELECT topic, revision FROM revisions'

/** The revision of everything that processes keep in memory, by topic. */
export async function readRevisions(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ topic: string; revision: string }>({ name: 'read-revisions', text })
  return new Map(rows.map(({ topic, revision }) => [topic, Number(revision)]))
}
