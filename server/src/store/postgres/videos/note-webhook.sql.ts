import type { Pool } from 'pg'
import type { WebhookDelivery } from '#ports/webhooks.ts'

// Whoever has it has it, whichever try it was.
const delivered = `UPDATE webhook_deliveries SET last_status = $2, last_error = NULL, due_at = NULL,
    delivered_at = clock_timestamp()
  WHERE id = $1 AND delivered_at IS NULL`

// A worker that slept through its claim must not call off, or repeat, what another has tried since.
const failed = `UPDATE webhook_deliveries SET last_status = $2, last_error = $3,
    due_at = clock_timestamp() + $4::bigint * interval '1 millisecond'
  WHERE id = $1 AND delivered_at IS NULL AND attempts = $5`

export async function noteDelivered(pool: Pool, { id }: WebhookDelivery, status: number): Promise<void> {
  await pool.query({ name: 'note-webhook-delivered', text: delivered, values: [id, status] })
}

/** Without a pause nothing more is tried. */
export async function noteFailed(
  pool: Pool,
  { id, attempts }: WebhookDelivery,
  { status, error, againInMs }: { status: number | null; error: string; againInMs: number | null },
): Promise<void> {
  const values = [id, status, error, againInMs === null ? null : Math.ceil(againInMs), attempts + 1]
  await pool.query({ name: 'note-webhook-failed', text: failed, values })
}
