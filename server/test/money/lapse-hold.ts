import type { Pool } from 'pg'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { placeHolds, sweepHolds } from '#store/postgres/money/holds.sql.ts'

/**
 * Creates a request whose process died: its hold expired and was swept. Its client had received the generation's id.
 */
export async function lapseHold(
  pool: Pool,
  owner: { walletId: string; keyId: string },
  usd: string,
): Promise<{ id: string; generationId: string }> {
  const id = newUuid(Date.now())
  const hold = { id, walletId: owner.walletId, keyId: owner.keyId, amount: parseUsd(usd), windows: [] }
  await placeHolds(pool, [hold], { leaseMs: 60_000, isRetry: false })
  await pool.query(`UPDATE holds SET lease_until = now() - interval '1 second' WHERE id = $1`, [id])
  // Other sweeps may run as well.
  await sweepHolds(pool, 100)
  return { id, generationId: publicGenerationId(id) }
}
