import type { Pool } from 'pg'
import type { AutoTierBook } from '#ports/auto-tiers.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { selectAutoTiers } from './select-auto-tiers.sql.ts'
import { updateAutoTier } from './update-auto-tier.sql.ts'

export function createAutoTierBook(pool: Pool, nowMs: () => number): AutoTierBook {
  return {
    list: async () => (await selectAutoTiers(pool)).rows,
    change: (place, change, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        const { before, after } = await updateAutoTier(client, place, change)
        const entry = describe(before, after)
        if (entry !== null) await appendAudit(client, [entry], nowMs())
        return { ...place, ...after }
      }),
  }
}
