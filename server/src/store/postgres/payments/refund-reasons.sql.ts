import type { Pool } from 'pg'
import { minor } from '#domain/payments/currency.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RefundReason } from '#ports/payments.ts'

/** A repeated refund has the same key, and keeps its first reason. */
export async function insertRefundReason(
  pool: Pool,
  topUpId: Uuid,
  key: string,
  { amount, reason, author, createdAtMs }: RefundReason,
): Promise<void> {
  const text = `INSERT INTO refund_reasons (top_up_id, key, amount_minor, reason, author_name, created_at)
    VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000)) ON CONFLICT DO NOTHING`
  await pool.query(text, [topUpId, key, amount, reason, author, createdAtMs])
}

/** An order has a handful of refunds. The oldest first. */
export async function listRefundReasons(pool: Pool, topUpId: Uuid): Promise<RefundReason[]> {
  const text = `SELECT amount_minor::text AS amount, reason, author_name AS author, created_at FROM refund_reasons
    WHERE top_up_id = $1 ORDER BY created_at, key LIMIT 100`
  const { rows } = await pool.query<{ amount: string; reason: string; author: string | null; created_at: Date }>(text, [
    topUpId,
  ])
  return rows.map(({ amount, reason, author, created_at: createdAt }) => {
    return { amount: minor(BigInt(amount)), reason, author, createdAtMs: createdAt.getTime() }
  })
}
