import type { Pool } from 'pg'
import type { WebhookDelivery } from '#ports/webhooks.ts'

const text = `UPDATE webhook_deliveries d SET due_at = clock_timestamp() + $2 * interval '1 millisecond', attempts = d.attempts + 1
  FROM (SELECT id FROM webhook_deliveries WHERE due_at <= clock_timestamp()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due
  WHERE d.id = due.id
  RETURNING d.id, d.url, d.body, d.attempts - 1 AS attempts, d.created_at`

interface Row {
  id: string
  url: string
  body: string
  attempts: number
  created_at: Date
}

export async function claimWebhooks(pool: Pool, atMost: number, claimMs: number): Promise<WebhookDelivery[]> {
  const { rows } = await pool.query<Row>({ name: 'claim-webhooks', text, values: [atMost, claimMs] })
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAtMs: created_at.getTime() }))
}
