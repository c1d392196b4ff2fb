import type { UserListing } from '#ports/users.ts'
import { type BreakerRow, readBreakerRow } from '../people/breaker-row.ts'

export const userColumns = `u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id,
    u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano
  FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id`

export interface UserRow extends BreakerRow {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
}

export function readUserRow(row: UserRow): UserListing {
  return {
    id: row.id,
    walletId: row.wallet_id,
    email: row.email,
    name: row.name,
    suspended: row.suspended,
    breaker: readBreakerRow(row),
  }
}
