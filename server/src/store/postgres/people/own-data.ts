import type { Pool } from 'pg'
import type { OwnData, OwnProfile, OwnTransfer } from '#ports/own-data.ts'
import { readNano } from '../column-values.ts'
import { listOwnCustomers } from '../end-customers/end-customers.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { listOwnTopUps } from '../payments/top-ups.sql.ts'
import { listOwnRuns } from '../runs/runs.sql.ts'
import { erasePerson } from './erase-person.ts'

export function createOwnData(pool: Pool): OwnData {
  return {
    readProfile: (userId) => refuseWhenAway(readProfile(pool, userId)),
    listTransfers: (query) => refuseWhenAway(listTransfers(pool, query)),
    listCustomers: (query) => refuseWhenAway(listOwnCustomers(pool, query)),
    listRuns: (query) => refuseWhenAway(listOwnRuns(pool, query)),
    listOrders: (query) => refuseWhenAway(listOwnTopUps(pool, query)),
    erase: (userId, author) => refuseWhenAway(erasePerson(pool, userId, author)),
  }
}

interface ProfileRow {
  id: string
  wallet_id: string
  email: string
  name: string
  email_verified: boolean
  created_at: Date
}

async function readProfile(pool: Pool, userId: string): Promise<OwnProfile | null> {
  const text = `SELECT u.id, w.id AS wallet_id, u.email, u.name, u.email_verified, u.created_at
    FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id WHERE u.id = $1`
  const { rows } = await pool.query<ProfileRow>({ name: 'read-own-profile', text, values: [userId] })
  const [row] = rows
  if (row === undefined) return null
  const places = await pool.query<{ organization_id: string; name: string; role: string; joined_at: Date }>({
    name: 'list-own-memberships',
    text: `SELECT m.organization_id, o.name, m.role, m.joined_at FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = $1 ORDER BY m.joined_at, m.id`,
    values: [userId],
  })
  return {
    id: row.id,
    walletId: row.wallet_id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified,
    createdAtMs: row.created_at.getTime(),
    organizations: places.rows.map((place) => ({
      organizationId: place.organization_id,
      name: place.name,
      role: place.role,
      joinedAtMs: place.joined_at.getTime(),
    })),
  }
}

async function listTransfers(
  pool: Pool,
  { walletId, after, limit }: Parameters<OwnData['listTransfers']>[0],
): Promise<OwnTransfer[]> {
  const text = `SELECT id, leg, kind, debit, credit, amount_nano, note FROM ledger_transfers
    WHERE wallet_id = $1 AND kind <> 'processor_fee' AND (id, leg) > ($2::uuid, $3::smallint) ORDER BY id, leg LIMIT $4`
  const first = after ?? { id: '00000000-0000-0000-0000-000000000000', leg: -1 }
  const { rows } = await pool.query<Omit<OwnTransfer, 'amount'> & { amount_nano: string }>({
    name: 'list-own-transfers',
    text,
    values: [walletId, first.id, first.leg, limit],
  })
  return rows.map(({ amount_nano: amount, ...transfer }) => ({ ...transfer, amount: readNano(amount) }))
}
