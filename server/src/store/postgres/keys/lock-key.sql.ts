import type { PoolClient } from 'pg'
import type { KeySettings } from '#domain/access/key-settings.ts'
import type { KeyType } from '#domain/access/principal.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyReference } from '#ports/key-book.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT k.name, k.type, k.user_id, k.organization_id, encode(k.secret_hash, 'hex') AS secret_hash,
    k.enabled, k.spend_limit_nano, k.spend_limit_period, k.allowed_cidrs, k.free_fallback
  FROM api_keys k
  WHERE k.id = $1 AND k.revoked_at IS NULL
    AND ($2::uuid IS NULL OR (k.user_id = $2 AND k.organization_id IS NULL AND k.type <> 'institution'))
    AND ($3::uuid IS NULL OR (k.organization_id = $3 AND k.type <> 'institution'))
  FOR NO KEY UPDATE`

interface Row {
  name: string
  type: KeyType
  user_id: string | null
  organization_id: string | null
  secret_hash: string
  enabled: boolean
  spend_limit_nano: string | null
  spend_limit_period: SpendPeriod | null
  allowed_cidrs: string[]
  free_fallback: boolean
}

export interface LockedKey {
  name: string
  type: KeyType
  userId: Uuid | null
  organizationId: Uuid | null
  secretHash: string
  settings: KeySettings
}

/** A key that is not revoked, kept from others until the transaction ends. */
export async function lockKey(client: PoolClient, { keyId, account }: KeyReference): Promise<LockedKey | null> {
  const { rows } = await client.query<Row>(text, [
    keyId,
    account?.kind === 'user' ? account.userId : null,
    account?.kind === 'organization' ? account.organizationId : null,
  ])
  const [row] = rows
  if (row === undefined) return null
  return {
    name: row.name,
    type: row.type,
    userId: row.user_id,
    organizationId: row.organization_id,
    secretHash: row.secret_hash,
    settings: {
      enabled: row.enabled,
      limit: readNullableNano(row.spend_limit_nano),
      period: row.spend_limit_period,
      allowedCidrs: row.allowed_cidrs,
      freeFallback: row.free_fallback,
    },
  }
}
