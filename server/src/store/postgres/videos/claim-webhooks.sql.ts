import type { Pool } from 'pg'
import { parseSealed, type SealingKey, unseal } from '#lib/seal.ts'
import type { WebhookDelivery, WebhookRoom } from '#ports/webhooks.ts'

const text = `UPDATE webhook_deliveries d SET due_at = clock_timestamp() + $2 * interval '1 millisecond', attempts = d.attempts + 1
  FROM (SELECT w.id FROM webhook_deliveries w
          JOIN (SELECT id, row_number() OVER (PARTITION BY wallet_id ORDER BY due_at) AS turn FROM webhook_deliveries
                WHERE due_at <= clock_timestamp() AND wallet_id <> ALL ($3::uuid[])) AS ranked USING (id)
        WHERE ranked.turn <= $4 AND w.due_at <= clock_timestamp()
        ORDER BY w.due_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED) AS due
  WHERE d.id = due.id
  RETURNING d.id, d.url, d.body, d.attempts - 1 AS attempts, d.created_at, d.wallet_id,
    (SELECT s.secret FROM webhook_secrets s WHERE s.id = d.wallet_id) AS secret`

interface Row {
  id: string
  url: string
  body: string
  attempts: number
  created_at: Date
  wallet_id: string
  secret: unknown
}

export async function claimWebhooks(
  pool: Pool,
  sealingKey: SealingKey,
  { atMost, perAccountMax, busyAccounts }: WebhookRoom,
  claimMs: number,
): Promise<WebhookDelivery[]> {
  const values = [atMost, claimMs, busyAccounts, perAccountMax]
  const { rows } = await pool.query<Row>({ name: 'claim-webhooks', text, values })
  return rows.map(({ created_at, wallet_id, secret, ...row }) => ({
    ...row,
    walletId: wallet_id,
    createdAtMs: created_at.getTime(),
    secret: secret === null ? null : unseal(sealingKey, parseSealed(secret), wallet_id),
  }))
}
