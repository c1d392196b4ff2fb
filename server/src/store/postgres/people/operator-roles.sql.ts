import type { PoolClient } from 'pg'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The role of a person who is about to be erased, or null. Other changes of operators wait until the erasure commits.
 * People who do not operate the platform make no one wait.
 */
export async function lockRole(client: PoolClient, userId: Uuid): Promise<OperatorRole | 'last owner' | null> {
  if ((await findRole(client, userId)) === null) return null
  await lockOperators(client)
  const role = await findRole(client, userId)
  return role === 'owner' && !(await hasOtherOwner(client, userId)) ? 'last owner' : role
}

/** Until the transaction ends, no one else changes operators. */
export async function lockOperators(client: PoolClient): Promise<void> {
  await client.query('LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE')
}

export async function findRole(client: PoolClient, userId: Uuid): Promise<OperatorRole | null> {
  const { rows } = await client.query<{ role: OperatorRole }>('SELECT role FROM operators WHERE user_id = $1', [userId])
  return rows[0]?.role ?? null
}

export async function hasOtherOwner(client: PoolClient, userId: Uuid): Promise<boolean> {
  const text = `SELECT FROM operators o JOIN users u ON u.id = o.user_id
    WHERE o.role = 'owner' AND o.user_id <> $1 AND u.suspended_at IS NULL LIMIT 1`
  const { rowCount } = await client.query(text, [userId])
  return rowCount === 1
}

export async function deleteOperator(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query('DELETE FROM operators WHERE user_id = $1', [userId])
}
