import type { PoolClient } from 'pg'
import type { Sealed } from '#lib/seal.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'

const text = `WITH changed AS (
    UPDATE provider_accounts
    SET enabled = $2, weight = $3, keeps_prompts = $4, variant = $5, credential = coalesce($6::jsonb, credential)
    WHERE id = $1 RETURNING id
  )
  UPDATE revisions SET revision = revision + 1 FROM changed WHERE topic = 'routing'`

/** The account as it is to be; without a credential it keeps the one it has. */
export async function updateAccount(
  client: PoolClient,
  account: ProviderAccountListing,
  credential: Sealed | null,
): Promise<void> {
  const { id, enabled, weight, keepsPrompts, variant } = account
  const sealed = credential === null ? null : JSON.stringify(credential)
  await client.query(text, [id, enabled, weight, keepsPrompts, variant, sealed])
}
