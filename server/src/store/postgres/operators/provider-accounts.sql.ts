import type { Pool, PoolClient } from 'pg'
import type { Sealed } from '#lib/seal.ts'
import type {
  DescribeAccountChange,
  NewProviderAccount,
  ProviderAccountChange,
  ProviderAccountListing,
} from '#ports/operators.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { inTransaction } from '../with-client.ts'

/** A provider account as operators see it, without its credential. */
const accountColumns = `id, name, vendor, base_url AS "baseUrl", credential IS NOT NULL AS "hasCredential", enabled,
    weight, keeps_prompts AS "keepsPrompts", variant, api, overrides,
    discount_ppm AS "discountPpm"`

export async function listAccounts(pool: Pool): Promise<ProviderAccountListing[]> {
  const text = `SELECT ${accountColumns} FROM provider_accounts ORDER BY name`
  const { rows } = await pool.query<ProviderAccountListing>(text)
  return rows
}

/** An account by its name, locked until the transaction ends. */
async function lockAccount(client: PoolClient, name: string): Promise<ProviderAccountListing | null> {
  const text = `SELECT ${accountColumns} FROM provider_accounts WHERE name = $1 FOR NO KEY UPDATE`
  const { rows } = await client.query<ProviderAccountListing>(text, [name])
  return rows[0] ?? null
}

/** Returns false if the name is taken. */
export async function insertAccount(client: PoolClient, account: NewProviderAccount): Promise<boolean> {
  const text = `WITH added AS (
      INSERT INTO provider_accounts (id, name, vendor, base_url, credential, weight, keeps_prompts, variant, api,
        discount_ppm)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT (name) DO NOTHING RETURNING id
    ), moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM added)
    )
    SELECT id FROM added`
  const { rowCount } = await client.query(text, [
    account.id,
    account.name,
    account.vendor,
    account.baseUrl,
    account.credential === null ? null : JSON.stringify(account.credential),
    account.weight,
    account.keepsPrompts,
    account.variant,
    account.api,
    account.discountPpm,
  ])
  return rowCount === 1
}

/** Writes the account's new values. Without a credential it keeps the current one. */
async function updateAccount(
  client: PoolClient,
  account: ProviderAccountListing,
  credential: Sealed | null,
): Promise<void> {
  const text = `WITH changed AS (
      UPDATE provider_accounts
      SET enabled = $2, weight = $3, keeps_prompts = $4, variant = $5, api = $6, overrides = $7, discount_ppm = $9,
          credential = coalesce($8::jsonb, credential)
      WHERE id = $1 RETURNING id
    )
    UPDATE revisions SET revision = revision + 1 FROM changed WHERE topic = 'routing'`
  const { id, enabled, weight, keepsPrompts, variant, api, overrides, discountPpm } = account
  const sealed = credential === null ? null : JSON.stringify(credential)
  const values = [id, enabled, weight, keepsPrompts, variant, api, JSON.stringify(overrides), sealed, discountPpm]
  await client.query(text, values)
}

/**
 * Writes only changes; without any, neither the revision nor the log changes. Returns null if the account does not
 * exist.
 */
export async function changeAccount(
  pool: Pool,
  which: { name: string; change: ProviderAccountChange; describe: DescribeAccountChange },
): Promise<ProviderAccountListing | null> {
  const { sealCredential, overridesOf, ...terms } = which.change
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const before = await lockAccount(client, which.name)
    if (before === null) return null
    const hasCredential = before.hasCredential || sealCredential !== undefined
    const after = { ...before, ...terms, hasCredential, overrides: overridesOf?.(before) ?? before.overrides }
    const entry = which.describe(before, after)
    if (entry === null) return after
    await updateAccount(client, after, sealCredential?.(before.id) ?? null)
    await appendAudit(client, [entry], Date.now())
    return after
  })
}
