import type { KeyAccount } from '#domain/access/key-account.ts'
import type { Pool, PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The owner's kind and id, as wallets store them. */
export function ownerOf(account: KeyAccount): [string, Uuid] {
  return [account.kind, account.kind === 'user' ? account.userId : account.organizationId]
}

export async function walletOf(connection: Pool | PoolClient, account: KeyAccount): Promise<Uuid> {
  const { rows } = await connection.query<{ id: string }>({
    name: 'wallet-of-account',
    text: 'SELECT id FROM wallets WHERE owner_kind = $1 AND owner_id = $2',
    values: ownerOf(account),
  })
  const [row] = rows
  assert(row !== undefined, 'every account has a wallet')
  return row.id
}
