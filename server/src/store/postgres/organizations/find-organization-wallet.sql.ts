import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT id FROM wallets WHERE owner_kind = 'organization' AND owner_id = $1`

export async function findOrganizationWallet(pool: Pool, organizationId: Uuid): Promise<Uuid | null> {
  const { rows } = await pool.query<{ id: string }>(text, [organizationId])
  return rows[0]?.id ?? null
}
