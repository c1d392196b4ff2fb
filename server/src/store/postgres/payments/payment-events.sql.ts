import type { Pool, PoolClient } from 'pg'
import type { PaymentEffect } from '#domain/payments/payment-effect.ts'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PaymentEvent } from '#ports/payments.ts'

/** Runs in the transaction that books the event. A repeated event is stored once. Returns whether it is new. */
export async function insertEvent(
  connection: Pool | PoolClient,
  provider: PaymentSource,
  { event, topUpId }: { event: PaymentEvent; topUpId: Uuid | null },
): Promise<boolean> {
  const text = `INSERT INTO payment_events (provider, id, type, top_up_id, created_at)
    VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000)) ON CONFLICT DO NOTHING`
  const { rowCount } = await connection.query(text, [provider, event.id, event.type, topUpId, event.createdAtMs])
  return rowCount === 1
}

export async function findNotedEvents(pool: Pool, provider: PaymentSource, ids: readonly string[]): Promise<string[]> {
  const text = 'SELECT id FROM payment_events WHERE provider = $1 AND id = ANY ($2)'
  const { rows } = await pool.query<{ id: string }>(text, [provider, ids])
  return rows.map(({ id }) => id)
}

/**
 * Deletes events that no longer matter and returns how many. A provider sends and lists events for a month at most, and
 * a repeated event would book nothing. Refunds by operators are recorded here too, for as long as other requests with
 * an idempotency key.
 */
export async function purgeEvents(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM payment_events WHERE (provider, id) IN (SELECT provider, id FROM payment_events
      WHERE received_at < now() - interval '90 days' ORDER BY received_at LIMIT $1 FOR UPDATE SKIP LOCKED)`
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}

/** The table's keys reject an effect that is already booked, whatever state the process has. */
export async function insertEffect(
  client: PoolClient,
  { topUpId, position, transactionId }: { topUpId: Uuid; position: number; transactionId: Uuid },
  { kind, amount, sum }: PaymentEffect,
): Promise<void> {
  const text = `INSERT INTO top_up_effects (top_up_id, position, kind, transaction_id, amount_minor, sum_minor)
    VALUES ($1, $2, $3, $4, $5, $6)`
  await client.query(text, [topUpId, position, kind, transactionId, amount, sum])
}
