import type { PoolClient } from 'pg'
import type { KeyAccount } from '#ports/key-book.ts'

const text = `SELECT pg_advisory_xact_lock(1501, hashtext($1))`

/** Keys of one account are made one after another, so that their number is exact. Its wallet is not locked: calls go on. */
export async function lockKeyAccount(client: PoolClient, account: KeyAccount): Promise<void> {
  await client.query(text, [account.kind === 'user' ? account.userId : account.organizationId])
}
