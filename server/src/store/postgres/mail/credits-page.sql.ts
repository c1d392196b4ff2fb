import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

/** The console's page for the credit of a wallet. The page of an organization has its slug in the path. */
export async function creditsPageOf(client: PoolClient, walletId: Uuid, creditsUrl: string): Promise<string> {
  const text = `SELECT o.slug FROM wallets w JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    WHERE w.id = $1`
  const { rows } = await client.query<{ slug: string }>(text, [walletId])
  return rows[0] === undefined ? creditsUrl : new URL(`o/${rows[0].slug}/credits`, creditsUrl).href
}
