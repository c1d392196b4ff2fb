import type { PoolClient } from 'pg'
import type { NewOrganization } from '#ports/organizations.ts'

const text = `WITH made AS (
    INSERT INTO organizations (id, name, slug, plan, billing_mode, seats)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (slug) DO NOTHING RETURNING id
  )
  INSERT INTO wallets (id, owner_kind, owner_id, credit_line_nano) SELECT $7, 'organization', made.id, $8 FROM made`

/** The organization and its wallet; false when the slug is taken. */
export async function insertOrganization(
  client: PoolClient,
  { organization, walletId }: Pick<NewOrganization, 'organization' | 'walletId'>,
): Promise<boolean> {
  const { rowCount } = await client.query(text, [
    organization.id,
    organization.name,
    organization.slug,
    organization.plan,
    organization.billing,
    organization.seats,
    walletId,
    organization.creditLine,
  ])
  return rowCount === 1
}
