import type { PoolClient } from 'pg'

const text = `SELECT FROM revisions WHERE topic = 'free' FOR UPDATE`

/** Free models are changed one after another, so that what the audit log says was before a change is what was. */
export async function lockFreeModels(client: PoolClient): Promise<void> {
  await client.query(text)
}
