import type { Pool, PoolClient } from 'pg'
import type { BillingProfile, Buyer } from '#domain/billing/parties.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'

interface Row {
  name: string
  address: string
  country: string | null
  tax_id_kind: string | null
  tax_id: string | null
  email: string | null
}

function profileOf(row: Row): BillingProfile {
  const { tax_id_kind: kind, tax_id: id } = row
  const taxId = kind === null || id === null ? null : { kind, id }
  return { name: row.name, address: row.address, country: row.country, taxId, email: row.email }
}

export async function findProfile(pool: Pool, walletId: Uuid): Promise<BillingProfile | null> {
  const text = 'SELECT name, address, country, tax_id_kind, tax_id, email FROM billing_profiles WHERE wallet_id = $1'
  const { rows } = await pool.query<Row>(text, [walletId])
  return rows[0] === undefined ? null : profileOf(rows[0])
}

export async function putProfile(client: PoolClient, walletId: Uuid, profile: BillingProfile): Promise<void> {
  const text = `INSERT INTO billing_profiles (wallet_id, name, address, country, tax_id_kind, tax_id, email)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (wallet_id) DO UPDATE SET name = excluded.name, address = excluded.address, country = excluded.country,
      tax_id_kind = excluded.tax_id_kind, tax_id = excluded.tax_id, email = excluded.email, updated_at = now()`
  const { name, address, country, taxId, email } = profile
  await client.query(text, [walletId, name, address, country, taxId?.kind ?? null, taxId?.id ?? null, email])
}

/**
 * Without a profile, the buyer is the owner: a person, or an organization whose longest-standing administrator receives
 * its mail.
 */
export async function readBuyer(client: PoolClient, walletId: Uuid): Promise<Buyer> {
  const text = `SELECT coalesce(p.name, o.name, nullif(u.name, ''), u.email, '') AS name, coalesce(p.address, '') AS address,
      p.country, p.tax_id_kind, p.tax_id, coalesce(p.email, u.email, a.email) AS email
    FROM wallets w LEFT JOIN billing_profiles p ON p.wallet_id = w.id
    LEFT JOIN users u ON w.owner_kind = 'user' AND u.id = w.owner_id
    LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    LEFT JOIN LATERAL (
      SELECT x.email FROM members m JOIN users x ON x.id = m.user_id
      WHERE m.organization_id = o.id AND m.role = 'org_admin' AND m.suspended_at IS NULL ORDER BY m.joined_at, m.id LIMIT 1
    ) AS a ON true
    WHERE w.id = $1`
  const { rows } = await client.query<Row>(text, [walletId])
  const [row] = rows
  assert(row !== undefined, 'a document is for a wallet that exists')
  return profileOf(row)
}
