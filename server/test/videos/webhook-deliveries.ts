import type { Pool } from 'pg'
import { expect } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { parseJobId } from '#domain/video/job-id.ts'

interface DeliveryRow {
  attempts: number
  due_at: Date | null
  delivered_at: Date | null
  last_status: number | null
  last_error: string | null
}

/** The stored webhook of a job. */
export async function deliveryOf(pool: Pool, publicId: string): Promise<DeliveryRow | undefined> {
  const { rows } = await pool.query<DeliveryRow>(
    'SELECT attempts, due_at, delivered_at, last_status, last_error FROM webhook_deliveries WHERE job_id = $1',
    [parseJobId(publicId)],
  )
  return rows[0]
}

/** Ends the pause before the next try, and moves the job's end into the past. */
export async function makeDue(pool: Pool, publicId: string, { createdHoursAgo = 0 } = {}): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries SET due_at = clock_timestamp(), created_at = created_at - $2 * interval '1 hour'
     WHERE job_id = $1 AND delivered_at IS NULL`,
    [parseJobId(publicId), createdHoursAgo],
  )
}

/** A due webhook of an unknown job. */
export async function addDelivery(pool: Pool, url: string, walletId = newUuid(Date.now())): Promise<void> {
  await pool.query(
    `INSERT INTO webhook_deliveries (id, job_id, wallet_id, url, body)
     VALUES (gen_random_uuid(), gen_random_uuid(), $2, $1, '{}')`,
    [url, walletId],
  )
}

/** The deliveries to an address that a worker would claim now. */
export async function dueCalls(pool: Pool, url: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    'SELECT id FROM webhook_deliveries WHERE url = $1 AND due_at <= clock_timestamp()',
    [url],
  )
  return rows
}

export async function eventually<Value>(look: () => Value | Promise<Value>, wanted: Value): Promise<void> {
  await expect.poll(look, { interval: 20 }).toEqual(wanted)
}
