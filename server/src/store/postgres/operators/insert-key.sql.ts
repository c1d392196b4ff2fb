import type { Pool } from 'pg'
import type { NewKey } from '#ports/key-book.ts'

const text = `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, wallet_id, spend_limit_nano,
    spend_limit_period, allowed_cidrs, expires_at)
  SELECT $1, decode($2, 'hex'), $3, $4, $5, $6, w.owner_id, w.id, $8, $9, $10, to_timestamp($11::bigint / 1000.0)
  FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $7`

/** False when the user has no wallet, which is to say that there is no such user. */
export async function insertKey(pool: Pool, key: NewKey): Promise<boolean> {
  const { rowCount } = await pool.query(text, [
    key.id,
    key.secretHash,
    key.prefix,
    key.suffix,
    key.name,
    key.type,
    key.userId,
    key.limit,
    key.period,
    key.allowedCidrs,
    key.expiresAtMs,
  ])
  return rowCount === 1
}
