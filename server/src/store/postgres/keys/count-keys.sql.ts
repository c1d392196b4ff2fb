import type { PoolClient } from 'pg'
import type { KeyAccount } from '#ports/key-book.ts'

const text = `SELECT count(*)::integer AS live FROM api_keys k
  WHERE k.type <> 'institution' AND k.revoked_at IS NULL
    AND ($1::uuid IS NULL OR (k.user_id = $1 AND k.organization_id IS NULL)) AND ($2::uuid IS NULL OR k.organization_id = $2)`

/** How many keys of the account are not revoked. */
export async function countKeys(client: PoolClient, account: KeyAccount): Promise<number> {
  const { rows } = await client.query<{ live: number }>(text, [
    account.kind === 'user' ? account.userId : null,
    account.kind === 'organization' ? account.organizationId : null,
  ])
  return rows[0]?.live ?? 0
}
