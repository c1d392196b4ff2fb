import type { Pool, PoolClient } from 'pg'

/** The revision of each topic that processes cache in memory. */
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

/** The catalogue's revision. In a transaction it belongs to the same snapshot as everything else read there. */
export const readCatalogueRevision = `SELECT revision::float8 AS revision FROM revisions WHERE topic = 'catalogue'`

export interface RevisionRow {
  revision: number
}

/** Serializes imports. Readers of the revision are not blocked. */
export const lockCatalogueRevision = `SELECT revision::float8 AS revision FROM revisions WHERE topic = 'catalogue' FOR UPDATE`

/** Makes every process reload. */
export const bumpCatalogueRevision = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'`

/** Makes every process reload own keys. It comes last in its transaction, because all changes wait for this row. */
export async function bumpOwnKeys(client: PoolClient): Promise<void> {
  const text = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'own_keys'`
  await client.query(text)
}
