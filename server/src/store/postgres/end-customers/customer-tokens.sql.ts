import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerTokenRecord, EndCustomerSort, NewCustomerToken } from '#ports/end-customers.ts'
import type { Page, PageRequest } from '#ports/pages.ts'
import { readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, timeColumn } from '../page-clause.ts'

/** Expects the customer to be locked: otherwise two processes could exceed the maximum. */
export async function insertToken(
  client: PoolClient,
  { customerId, walletId, token }: { customerId: Uuid; walletId: Uuid; token: NewCustomerToken },
): Promise<'created' | 'no key' | 'full'> {
  const text = `WITH key AS (
      SELECT k.id FROM api_keys k WHERE k.id = $4 AND k.wallet_id = $3 AND k.type = 'standard' AND NOT k.playground
        AND k.revoked_at IS NULL
    ), live AS (
      SELECT count(*) AS tokens FROM customer_tokens t WHERE t.customer_id = $2 AND t.revoked_at IS NULL AND t.expires_at > now()
    ), made AS (
      INSERT INTO customer_tokens (id, customer_id, key_id, token_hash, limit_nano, allowed_models, expires_at)
      SELECT $1, $2, key.id, decode($5, 'hex'), $6, $7, $8 FROM key, live WHERE live.tokens < $9 RETURNING id)
    SELECT EXISTS (SELECT FROM key) AS has_key, EXISTS (SELECT FROM made) AS is_made`
  const { rows } = await client.query<{ has_key: boolean; is_made: boolean }>(text, [
    token.id,
    customerId,
    walletId,
    token.keyId,
    token.tokenHash,
    token.limit,
    token.allowedModels,
    new Date(token.expiresAtMs),
    token.tokensMax,
  ])
  if (rows[0]?.has_key !== true) return 'no key'
  return rows[0].is_made ? 'created' : 'full'
}

interface TokenRow {
  id: string
  key_id: string
  limit_nano: string | null
  spent_nano: string | null
  allowed_models: string[] | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

export async function listTokens(
  pool: Pool,
  customerId: Uuid,
  page: PageRequest<EndCustomerSort>,
): Promise<Page<CustomerTokenRecord>> {
  const values: unknown[] = []
  const bind = (value: unknown): string => `$${values.push(value)}`
  const columns = { created: timeColumn('t.created_at') }
  const { where, order, limit, cursor } = pageClause(page, { columns, id: 't.id', bind })
  const text = `SELECT t.id, t.key_id, t.limit_nano, t.allowed_models, t.created_at, t.expires_at, t.revoked_at, ${cursor} AS cursor,
      CASE WHEN t.limit_nano IS NOT NULL THEN coalesce((SELECT s.spent_nano FROM spend_windows s
        WHERE s.kind = 'token_life' AND s.owner_id = t.id AND s.starts_at = 0), 0) END AS spent_nano
    FROM customer_tokens t WHERE t.customer_id = ${bind(customerId)}${where} ORDER BY ${order} LIMIT ${limit}`
  const { rows } = await pool.query<TokenRow & { cursor: string }>(text, values)
  return pageOf(rows, page.limit, (row) => ({
    id: row.id,
    keyId: row.key_id,
    limit: readNullableNano(row.limit_nano),
    spent: readNullableNano(row.spent_nano),
    allowedModels: row.allowed_models,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    revokedAtMs: row.revoked_at?.getTime() ?? null,
  }))
}

/** Null if the customer has no such token that still works. */
export async function revokeToken(client: PoolClient, customerId: Uuid, tokenId: Uuid): Promise<string | null> {
  const { rows } = await client.query<{ token_hash: string }>(
    `UPDATE customer_tokens SET revoked_at = now() WHERE customer_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > now()
     RETURNING encode(token_hash, 'hex') AS token_hash`,
    [customerId, tokenId],
  )
  return rows[0]?.token_hash ?? null
}

/** Deletes tokens a day after they expired, with what they spent. Returns how many. */
export async function purgeTokens(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ purged: number }>(
    `WITH purged AS (
       DELETE FROM customer_tokens WHERE id IN (
         SELECT t.id FROM customer_tokens t WHERE t.expires_at < now() - interval '1 day'
           AND NOT EXISTS (SELECT FROM spend_windows s WHERE s.kind = 'token_life' AND s.owner_id = t.id AND s.held_nano > 0)
         ORDER BY t.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id
     ), windows AS (
       DELETE FROM spend_windows s USING purged p
       WHERE s.kind = 'token_life' AND s.owner_id = p.id AND s.starts_at = 0 AND s.held_nano = 0)
     SELECT count(*)::integer AS purged FROM purged`,
    [atMost],
  )
  return rows[0]?.purged ?? 0
}
