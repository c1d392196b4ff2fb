import type { Pool } from 'pg'
import type { WebhookListing } from '#ports/webhooks.ts'

const text = `SELECT id, job_id, url, attempts, created_at, due_at, delivered_at, last_status, last_error
  FROM webhook_deliveries
  WHERE NOT $1::boolean OR (delivered_at IS NULL AND attempts > 0)
  ORDER BY created_at DESC LIMIT $2`

interface Row {
  id: string
  job_id: string
  url: string
  attempts: number
  created_at: Date
  due_at: Date | null
  delivered_at: Date | null
  last_status: number | null
  last_error: string | null
}

/** The newest first; those that nobody took yet, or those of all. */
export async function listWebhooks(
  pool: Pool,
  { onlyFailed, limit }: { onlyFailed: boolean; limit: number },
): Promise<WebhookListing[]> {
  const { rows } = await pool.query<Row>(text, [onlyFailed, limit])
  return rows.map((row) => ({
    id: row.id,
    jobId: row.job_id,
    url: row.url,
    tries: row.attempts,
    createdAtMs: row.created_at.getTime(),
    dueAtMs: row.due_at?.getTime() ?? null,
    deliveredAtMs: row.delivered_at?.getTime() ?? null,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }))
}
