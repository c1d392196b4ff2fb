import type { PoolClient } from 'pg'
import type { NewOperatorKey } from '#ports/operator-keys.ts'

// No wallet has this id, so that nothing could be held for such a key even if something let it through.
const text = `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, wallet_id, allowed_cidrs, expires_at)
  VALUES ($1, decode($2, 'hex'), $3, $4, $5, 'operator', '00000000-0000-0000-0000-000000000000', $6,
    to_timestamp($7::bigint / 1000.0))`

export async function insertOperatorKey(client: PoolClient, key: NewOperatorKey): Promise<void> {
  const { id, secretHash, prefix, suffix, name, allowedCidrs, expiresAtMs } = key
  await client.query(text, [id, secretHash, prefix, suffix, name, allowedCidrs, expiresAtMs])
}
