import type { Pool } from 'pg'
import type { BreakerStore } from '#ports/organization-rules.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { findBreakerLayers, lockBreaker, readBreakerSpend, recountBreakers, updateBreaker } from './breakers.sql.ts'

export function createBreakerStore(pool: Pool, nowMs: () => number): BreakerStore {
  return {
    find: (owner) => refuseWhenAway(findBreakerLayers(pool, owner)),
    readSpend: (owner, options) => refuseWhenAway(readBreakerSpend(pool, owner, options)),
    change: (owner, change, describe) => {
      const changing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        const before = await lockBreaker(client, owner)
        if (before === null) return false
        const after = { ...before, ...change }
        const entry = describe(before, after)
        if (entry === null) return true
        await updateBreaker(client, owner, after)
        await recountBreakers(client, owner)
        await appendAudit(client, [entry], nowMs())
        return true
      })
      return refuseWhenAway(changing)
    },
  }
}
