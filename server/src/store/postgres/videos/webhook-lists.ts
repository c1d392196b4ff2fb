import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { WebhookListing, WebhookListQuery, WebhookLists } from '#ports/webhooks.ts'
import { refuseWhenAway } from '../faults.ts'
import { ownerOf } from '../generations/generation-columns.ts'
import { type ListedRow, listingOf } from './webhook-queue.ts'

const columns = 'd.id, d.job_id, d.url, d.attempts, d.created_at, d.due_at, d.delivered_at, d.last_status, d.last_error'

/** The webhook deliveries of an account, for the account. */
export function createWebhookLists(pool: Pool): WebhookLists {
  return {
    list: (query) => refuseWhenAway(listDeliveries(pool, query)),
    redeliver: (jobId) => refuseWhenAway(redeliver(pool, jobId)),
  }
}

/** Not a named statement: the planner must see which conditions are present. */
async function listDeliveries(
  pool: Pool,
  { scope, before, state, jobId, limit }: WebhookListQuery,
): Promise<WebhookListing[]> {
  const text = `SELECT ${columns} FROM webhook_deliveries d${scope.only === null ? '' : ofOwner}
    WHERE d.wallet_id = $1 AND ($2::uuid IS NULL OR d.id < $2) AND ($4::uuid IS NULL OR d.job_id = $4)
      ${state === null ? '' : `AND ${conditions[state]}`}
    ORDER BY d.id DESC LIMIT $3`
  const values = [scope.walletId, before, limit, jobId, ...(scope.only === null ? [] : ownerOf(scope))]
  const { rows } = await pool.query<ListedRow>(text, values)
  return rows.map(listingOf)
}

/** The job says which member or key requested it. */
const ofOwner = ` JOIN video_jobs j ON j.id = d.job_id AND j.wallet_id = $1
      AND ($5::uuid IS NULL OR j.asker ->> 'memberId' = $5::text) AND ($6::uuid IS NULL OR j.asker ->> 'keyId' = $6::text)`

const conditions = {
  delivered: 'd.delivered_at IS NOT NULL',
  waiting: 'd.delivered_at IS NULL AND d.due_at IS NOT NULL',
  given_up: 'd.delivered_at IS NULL AND d.due_at IS NULL',
}

/** Makes the delivery due immediately, with no attempts counted. */
async function redeliver(pool: Pool, jobId: Uuid): Promise<WebhookListing | null> {
  const text = `UPDATE webhook_deliveries d SET due_at = clock_timestamp(), delivered_at = NULL, attempts = 0
    WHERE d.job_id = $1 RETURNING ${columns}`
  const { rows } = await pool.query<ListedRow>({ name: 'redeliver-webhook', text, values: [jobId] })
  return rows[0] === undefined ? null : listingOf(rows[0])
}
