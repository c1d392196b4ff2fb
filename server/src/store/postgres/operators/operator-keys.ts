import type { Pool, PoolClient } from 'pg'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { NewOperatorKey, OperatorKeyListing, OperatorKeys } from '#ports/keys.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

export function createOperatorKeys(pool: Pool): OperatorKeys {
  return {
    create: (key, entry) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await insertOperatorKey(client, key)
        await appendAudit(client, [entry], Date.now())
      }),
    list: () => listOperatorKeys(pool),
  }
}

/** The same for clients of the API, which get 503 while Postgres is unavailable. */
export function createServedOperatorKeys(pool: Pool): OperatorKeys {
  const keys = createOperatorKeys(pool)
  return {
    create: (key, entry) => refuseWhenAway(keys.create(key, entry)),
    list: () => refuseWhenAway(keys.list()),
  }
}

async function insertOperatorKey(client: PoolClient, key: NewOperatorKey): Promise<void> {
  // No wallet has this id, so no hold could ever be placed for such a key.
  const text = `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, wallet_id, allowed_cidrs, expires_at,
      operator_role)
    VALUES ($1, decode($2, 'hex'), $3, $4, $5, 'operator', '00000000-0000-0000-0000-000000000000', $6,
      to_timestamp($7::bigint / 1000.0), $8)`
  const { id, secretHash, prefix, suffix, name, allowedCidrs, expiresAtMs, role } = key
  await client.query(text, [id, secretHash, prefix, suffix, name, allowedCidrs, expiresAtMs, role])
}

interface Row {
  id: string
  name: string
  role: OperatorRole
  prefix: string
  suffix: string
  enabled: boolean
  revoked: boolean
  expires_at: Date | null
  created_at: Date
  allowed_cidrs: string[]
}

async function listOperatorKeys(pool: Pool): Promise<OperatorKeyListing[]> {
  const text = `SELECT id, name, coalesce(operator_role, 'owner') AS role, prefix, suffix, enabled,
      revoked_at IS NOT NULL AS revoked, expires_at, created_at, allowed_cidrs
    FROM api_keys WHERE type = 'operator' ORDER BY created_at DESC, id DESC`
  const { rows } = await pool.query<Row>(text)
  return rows.map(({ expires_at, created_at, allowed_cidrs, ...row }) => ({
    ...row,
    expiresAtMs: expires_at?.getTime() ?? null,
    createdAtMs: created_at.getTime(),
    allowedCidrs: allowed_cidrs,
  }))
}
