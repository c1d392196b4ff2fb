import type { Pool } from 'pg'
import type { TakenLimits } from '#domain/limits/effective-limit.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'
import { findPrincipalOfKey } from '../identity/principals.sql.ts'

export function createKeyLimitReads(pool: Pool): KeyLimitReads {
  return {
    findPrincipal: (which) => refuseWhenAway(findPrincipalOfKey(pool, which)),
    readTaken: (walletId, windows) => refuseWhenAway(readTaken(pool, walletId, windows)),
  }
}

interface Row {
  balance_nano: string
  held_nano: string
  credit_line_nano: string
  taken: string[]
}

async function readTaken(pool: Pool, walletId: Uuid, windows: readonly LimitedWindow[]): Promise<TakenLimits> {
  // A window without holds has no row. Its stored sum is then the starting value of the next hold.
  const text = `SELECT w.balance_nano, w.held_nano, w.credit_line_nano, ARRAY(
      SELECT coalesce((SELECT s.held_nano + s.spent_nano FROM spend_windows s
          WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at),
        stored_spend(u.kind, u.owner, u.starts_at))::text
      FROM unnest($2::text[], $3::uuid[], $4::bigint[]) WITH ORDINALITY AS u (kind, owner, starts_at, position)
      ORDER BY u.position) AS taken
    FROM wallets w WHERE w.id = $1`
  const { rows } = await pool.query<Row>(text, [
    walletId,
    windows.map(({ kind }) => kind),
    windows.map(({ ownerId }) => ownerId),
    windows.map(({ startsAtMs }) => startsAtMs),
  ])
  const [row] = rows
  if (row === undefined) throw new Error(`an API key references the wallet ${walletId}, which does not exist`)
  return {
    wallet: {
      balance: readNano(row.balance_nano),
      held: readNano(row.held_nano),
      creditLine: readNano(row.credit_line_nano),
    },
    windows: windows.map((window, index) => ({ ...window, taken: readNano(row.taken[index] ?? '0') })),
  }
}
