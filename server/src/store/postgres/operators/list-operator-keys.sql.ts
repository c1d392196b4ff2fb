import type { Pool } from 'pg'
import type { OperatorKeyListing } from '#ports/operator-keys.ts'

const text = `SELECT id, name, prefix, suffix, enabled, revoked_at IS NOT NULL AS revoked, expires_at, created_at, allowed_cidrs
  FROM api_keys WHERE type = 'operator' ORDER BY created_at DESC, id DESC`

interface Row {
  id: string
  name: string
  prefix: string
  suffix: string
  enabled: boolean
  revoked: boolean
  expires_at: Date | null
  created_at: Date
  allowed_cidrs: string[]
}

export async function listOperatorKeys(pool: Pool): Promise<OperatorKeyListing[]> {
  const { rows } = await pool.query<Row>(text)
  return rows.map(({ expires_at, created_at, allowed_cidrs, ...row }) => ({
    ...row,
    expiresAtMs: expires_at?.getTime() ?? null,
    createdAtMs: created_at.getTime(),
    allowedCidrs: allowed_cidrs,
  }))
}
