import type { Pool, PoolClient } from 'pg'

/** The revision of everything that processes keep in memory. */
interface Revisions {
  /** 0 for a topic that was never changed. */
  of(topic: string): number
}

export async function readRevisions(pool: Pool): Promise<Revisions> {
  const text = 'SELECT topic, revision FROM revisions'
  const { rows } = await pool.query<{ topic: string; revision: string }>({ name: 'read-revisions', text })
  const revisions = new Map(rows.map(({ topic, revision }) => [topic, Number(revision)]))
  return { of: (topic) => revisions.get(topic) ?? 0 }
}

/** The catalogue's revision; inside a transaction, that of the same moment as everything else read there. */
export const readCatalogueRevision = `SELECT revision::float8 AS revision FROM revisions WHERE topic = 'catalogue'`

export interface RevisionRow {
  revision: number
}

/** Imports take turns. Readers of the revision are not held up by this. */
export const lockCatalogueRevision = `SELECT revision::float8 AS revision FROM revisions WHERE topic = 'catalogue' FOR UPDATE`

/** Tells every process to load again. */
export const bumpCatalogueRevision = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'`

/**
 * Tells every process to load own keys again. The last thing in its transaction, because all changes wait for this row.
 */
export async function bumpOwnKeys(client: PoolClient): Promise<void> {
  const text = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'own_keys'`
  await client.query(text)
}
