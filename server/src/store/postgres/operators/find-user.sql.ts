import type { Pool } from 'pg'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { isUuid } from '#lib/uuid.ts'
import type { UserListing } from '#ports/users.ts'

const text = `SELECT u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id,
    u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano
  FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id
  WHERE u.id = $1 OR lower(u.email) = lower($2)`

interface Row {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
  breaker_enabled: boolean
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

/** By id or mail address. */
export async function findUser(pool: Pool, reference: string): Promise<UserListing | null> {
  const id = isUuid(reference) ? reference : null
  const { rows } = await pool.query<Row>(text, [id, reference])
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    walletId: row.wallet_id,
    email: row.email,
    name: row.name,
    suspended: row.suspended,
    breaker: {
      enabled: row.breaker_enabled,
      minute: row.breaker_minute_nano === null ? null : nanoUsd(BigInt(row.breaker_minute_nano)),
      hour: row.breaker_hour_nano === null ? null : nanoUsd(BigInt(row.breaker_hour_nano)),
    },
  }
}
