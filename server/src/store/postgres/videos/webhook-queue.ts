import type { Pool } from 'pg'
import { parseSealed, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { WebhookDelivery, WebhookListing, WebhookQueue, WebhookRoom } from '#ports/webhooks.ts'
import { persistently } from '../faults.ts'

export function createWebhookQueue(pool: Pool, sealingKey: SealingKey): WebhookQueue {
  return {
    claim: (room, claimMs) => claimWebhooks(pool, sealingKey, room, claimMs),
    delivered: (delivery, status) => persistently(() => noteDelivered(pool, delivery, status)),
    failed: (delivery, outcome) => persistently(() => noteFailed(pool, delivery, outcome)),
  }
}

interface ClaimedRow {
  id: string
  url: string
  body: string
  attempts: number
  created_at: Date
  wallet_id: string
  secret: unknown
}

async function claimWebhooks(
  pool: Pool,
  sealingKey: SealingKey,
  { atMost, perAccountMax, busyAccounts }: WebhookRoom,
  claimMs: number,
): Promise<WebhookDelivery[]> {
  const text = `UPDATE webhook_deliveries d SET due_at = clock_timestamp() + $2 * interval '1 millisecond', attempts = d.attempts + 1
    FROM (SELECT w.id FROM webhook_deliveries w
            JOIN (SELECT id, row_number() OVER (PARTITION BY wallet_id ORDER BY due_at) AS turn FROM webhook_deliveries
                  WHERE due_at <= clock_timestamp() AND wallet_id <> ALL ($3::uuid[])) AS ranked USING (id)
          WHERE ranked.turn <= $4 AND w.due_at <= clock_timestamp()
          ORDER BY w.due_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED) AS due
    WHERE d.id = due.id
    RETURNING d.id, d.url, d.body, d.attempts - 1 AS attempts, d.created_at, d.wallet_id,
      (SELECT s.secret FROM webhook_secrets s WHERE s.id = d.wallet_id) AS secret`
  const values = [atMost, claimMs, busyAccounts, perAccountMax]
  const { rows } = await pool.query<ClaimedRow>({ name: 'claim-webhooks', text, values })
  return rows.map(({ created_at, wallet_id, secret, ...row }) => ({
    ...row,
    walletId: wallet_id,
    createdAtMs: created_at.getTime(),
    secret: secret === null ? null : unseal(sealingKey, parseSealed(secret), wallet_id),
  }))
}

// A successful delivery counts, whichever attempt it was. If the owner requested another delivery during an attempt,
// that attempt counts as the first.
const delivered = `UPDATE webhook_deliveries SET last_status = $2, last_error = NULL, due_at = NULL,
    attempts = greatest(attempts, 1), delivered_at = clock_timestamp()
  WHERE id = $1 AND delivered_at IS NULL`

// A worker that outlasted its claim must not cancel or repeat a delivery that another worker has tried since.
const failed = `UPDATE webhook_deliveries SET last_status = $2, last_error = $3,
    due_at = clock_timestamp() + $4::bigint * interval '1 millisecond'
  WHERE id = $1 AND delivered_at IS NULL AND attempts = $5`

async function noteDelivered(pool: Pool, { id }: WebhookDelivery, status: number): Promise<void> {
  await pool.query({ name: 'note-webhook-delivered', text: delivered, values: [id, status] })
}

/** Without a pause there are no further attempts. */
async function noteFailed(
  pool: Pool,
  { id, attempts }: WebhookDelivery,
  { status, error, againInMs }: { status: number | null; error: string; againInMs: number | null },
): Promise<void> {
  const values = [id, status, error, againInMs === null ? null : Math.ceil(againInMs), attempts + 1]
  await pool.query({ name: 'note-webhook-failed', text: failed, values })
}

export interface ListedRow {
  id: string
  job_id: string | null
  url: string
  attempts: number
  created_at: Date
  due_at: Date | null
  delivered_at: Date | null
  last_status: number | null
  last_error: string | null
}

/** The newest first; only undelivered ones, or all. */
export async function listWebhooks(
  pool: Pool,
  { onlyFailed, limit }: { onlyFailed: boolean; limit: number },
): Promise<(WebhookListing & { readonly walletId: Uuid })[]> {
  const text = `SELECT id, wallet_id, job_id, url, attempts, created_at, due_at, delivered_at, last_status, last_error
    FROM webhook_deliveries
    WHERE NOT $1::boolean OR (delivered_at IS NULL AND attempts > 0)
    ORDER BY created_at DESC LIMIT $2`
  const { rows } = await pool.query<ListedRow & { wallet_id: string }>(text, [onlyFailed, limit])
  return rows.map((row) => ({ ...listingOf(row), walletId: row.wallet_id }))
}

export function listingOf(row: ListedRow): WebhookListing {
  return {
    id: row.id,
    jobId: row.job_id,
    url: row.url,
    tries: row.attempts,
    createdAtMs: row.created_at.getTime(),
    dueAtMs: row.due_at?.getTime() ?? null,
    deliveredAtMs: row.delivered_at?.getTime() ?? null,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }
}
