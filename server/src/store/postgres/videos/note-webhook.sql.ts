import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `UPDATE webhook_deliveries SET last_status = $2, last_error = $3,
    due_at = clock_timestamp() + $4::bigint * interval '1 millisecond',
    delivered_at = CASE WHEN $3::text IS NULL THEN clock_timestamp() END
  WHERE id = $1`

/** What came of a try: without an error it is delivered; without a pause nothing more is tried. */
export async function noteWebhook(
  pool: Pool,
  note: { id: Uuid; status: number | null; error: string | null; againInMs: number | null },
): Promise<void> {
  const { id, status, error, againInMs } = note
  await pool.query({ name: 'note-webhook', text, values: [id, status, error, againInMs] })
}
