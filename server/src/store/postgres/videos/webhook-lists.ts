import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { WebhookListing, WebhookListQuery, WebhookLists } from '#ports/webhooks.ts'
import { refuseWhenAway } from '../faults.ts'
import { ownerOf } from '../generations/generation-columns.ts'
import { type ListedRow, listingOf } from './webhook-queue.ts'

const columns = 'd.id, d.job_id, d.url, d.attempts, d.created_at, d.due_at, d.delivered_at, d.last_status, d.last_error'

/** The calls of an account, for the account. */
export function createWebhookLists(pool: Pool): WebhookLists {
  return {
    list: (query) => refuseWhenAway(listDeliveries(pool, query)),
    redeliver: (jobId) => refuseWhenAway(redeliver(pool, jobId)),
  }
}

/** The job says which member or key asked for it. */
const ofOwner = `EXISTS (SELECT 1 FROM video_jobs j WHERE j.id = d.job_id AND ($2::uuid IS NULL OR j.asker ->> 'memberId' = $2::text)
  AND ($3::uuid IS NULL OR j.asker ->> 'keyId' = $3::text))`

async function listDeliveries(
  pool: Pool,
  { scope, before, state, limit }: WebhookListQuery,
): Promise<WebhookListing[]> {
  const text = `SELECT ${columns} FROM webhook_deliveries d
    WHERE d.wallet_id = $1 AND ($4::uuid IS NULL OR d.id < $4)
      AND CASE $5::text WHEN 'delivered' THEN d.delivered_at IS NOT NULL
        WHEN 'waiting' THEN d.delivered_at IS NULL AND d.due_at IS NOT NULL
        WHEN 'given_up' THEN d.delivered_at IS NULL AND d.due_at IS NULL ELSE true END
      AND (($2::uuid IS NULL AND $3::uuid IS NULL) OR ${ofOwner})
    ORDER BY d.id DESC LIMIT $6`
  const values = [scope.walletId, ...ownerOf(scope), before, state, limit]
  const { rows } = await pool.query<ListedRow>({ name: 'list-own-webhooks', text, values })
  return rows.map(listingOf)
}

/** Due at once, as if it had never been tried. */
async function redeliver(pool: Pool, jobId: Uuid): Promise<WebhookListing | null> {
  const text = `UPDATE webhook_deliveries d SET due_at = clock_timestamp(), delivered_at = NULL, attempts = 0
    WHERE d.job_id = $1 RETURNING ${columns}`
  const { rows } = await pool.query<ListedRow>({ name: 'redeliver-webhook', text, values: [jobId] })
  return rows[0] === undefined ? null : listingOf(rows[0])
}
