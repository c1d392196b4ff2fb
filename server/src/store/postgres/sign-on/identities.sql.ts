import type { Pool } from 'pg'
import type { SignOnIdentities } from '#ports/sign-on.ts'
import { isDuplicate, refuseWhenAway } from '../faults.ts'

export function createSignOnIdentities(pool: Pool): SignOnIdentities {
  return {
    find: async ({ connectionId, subject }) => {
      const text = `SELECT i.user_id, i.placed_by, u.email FROM sign_on_identities i JOIN users u ON u.id = i.user_id
        WHERE i.connection_id = $1 AND i.subject = $2`
      const finding = pool.query<{ user_id: string; placed_by: string | null; email: string }>(text, [
        connectionId,
        subject,
      ])
      const [row] = (await refuseWhenAway(finding)).rows
      return row === undefined ? null : { userId: row.user_id, placedBy: row.placed_by, email: row.email }
    },
    save: async ({ connectionId, organizationId, subject, userId, placedBy }) => {
      // A user that an operator created is also added to the sign-in tables.
      const text = `WITH known AS (
          INSERT INTO auth_users (id, name, email, email_verified)
          SELECT id, name, lower(email), email_verified FROM users WHERE id = $4 ON CONFLICT DO NOTHING
        )
        INSERT INTO sign_on_identities (connection_id, organization_id, subject, user_id, placed_by)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (connection_id, subject) DO UPDATE SET placed_by = excluded.placed_by, last_seen_at = now()`
      const saving = pool.query(text, [connectionId, organizationId, subject, userId, placedBy])
      return refuseWhenAway(saving.then(hasOneRow, refuseDuplicate))
    },
    isLinked: async ({ connectionId, userId }) => {
      const text = 'SELECT 1 FROM sign_on_identities WHERE connection_id = $1 AND user_id = $2'
      return hasOneRow(await refuseWhenAway(pool.query(text, [connectionId, userId])))
    },
    findAccount: async (address) => {
      const text = `SELECT u.id, u.email_verified, coalesce(a.two_factor_enabled, false) AS has_second_factor
        FROM users u LEFT JOIN auth_users a ON a.id = u.id WHERE lower(u.email) = lower($1)`
      const finding = pool.query<KnownRow>(text, [address])
      const [row] = (await refuseWhenAway(finding)).rows
      return row === undefined
        ? null
        : { userId: row.id, isVerified: row.email_verified, hasSecondFactor: row.has_second_factor }
    },
    createAccount: async ({ userId, walletId, email, name }) => {
      // An address that exists in either table belongs to another person.
      const text = `WITH signer AS (
          INSERT INTO auth_users (id, name, email, email_verified)
          SELECT $1::uuid, $4, lower($3), true
          WHERE NOT EXISTS (SELECT 1 FROM users WHERE lower(email) = lower($3)) ON CONFLICT DO NOTHING RETURNING id, name, email
        ), made AS (
          INSERT INTO users (id, email, name, email_verified) SELECT id, email, name, true FROM signer RETURNING id
        )
        INSERT INTO wallets (id, owner_kind, owner_id) SELECT $2, 'user', made.id FROM made`
      const creating = pool.query(text, [userId, walletId, email, name])
      return refuseWhenAway(creating.then(hasOneRow, refuseDuplicate))
    },
  }
}

interface KnownRow {
  id: string
  email_verified: boolean
  has_second_factor: boolean
}

function hasOneRow({ rowCount }: { rowCount: number | null }): boolean {
  return rowCount === 1
}

function refuseDuplicate(error: unknown): boolean {
  if (isDuplicate(error)) return false
  throw error
}
