import type { PoolClient } from 'pg'

const text = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'own_keys'`

/** Tells every process to load own keys again. The last thing in its transaction, because all changes wait for this row. */
export async function bumpOwnKeys(client: PoolClient): Promise<void> {
  await client.query(text)
}
