import type { Pool } from 'pg'
import type { VideoTask } from '#domain/video/video-task.ts'
import { parseSealed, sealingKeyFrom, unseal } from '#lib/seal.ts'
import { testSecret } from '#test/setup/gateway.ts'

/** The key of test gateways and workers. */
export const testSealingKey = sealingKeyFrom(testSecret)

/** The task of a wallet's only job, or undefined if there is none. */
export async function readTask(pool: Pool, walletId: string): Promise<VideoTask | undefined> {
  const text = 'SELECT id, task FROM video_jobs WHERE wallet_id = $1'
  const { rows } = await pool.query<{ id: string; task: unknown }>(text, [walletId])
  const [row] = rows
  return row === undefined ? undefined : JSON.parse(unseal(testSealingKey, parseSealed(row.task), row.id))
}
