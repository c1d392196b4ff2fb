import type { Pool } from 'pg'
import { isUuid } from '#lib/uuid.ts'
import type { Wallet } from '#ports/wallets.ts'
import { readNano } from '../nano-column.ts'

const text = `SELECT id, owner_kind, owner_id, balance_nano, held_nano, credited_nano, charged_nano FROM wallets
  WHERE id = $1
    OR (owner_kind = 'user' AND owner_id = $1)
    OR (owner_kind = 'organization' AND owner_id = $1)
    OR (owner_kind = 'user' AND owner_id = (SELECT u.id FROM users u WHERE lower(u.email) = lower($2)))
    OR (owner_kind = 'organization' AND owner_id = (SELECT o.id FROM organizations o WHERE o.slug = $2))
  LIMIT 1`

interface Row {
  id: string
  owner_kind: 'user' | 'organization'
  owner_id: string
  balance_nano: string
  held_nano: string
  credited_nano: string
  charged_nano: string
}

/** By the wallet's id, its owner's id, a user's mail address or an organization's slug. */
export async function findWallet(pool: Pool, reference: string): Promise<Wallet | null> {
  const { rows } = await pool.query<Row>(text, [isUuid(reference) ? reference : null, reference])
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    ownerKind: row.owner_kind,
    ownerId: row.owner_id,
    balance: readNano(row.balance_nano),
    held: readNano(row.held_nano),
    credited: readNano(row.credited_nano),
    charged: readNano(row.charged_nano),
  }
}
