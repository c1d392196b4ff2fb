import type { Pool } from 'pg'
import type { BreakerBook } from '#ports/breaker-book.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { findBreakerLayers } from './find-breaker-layers.sql.ts'
import { lockBreaker } from './lock-breaker.sql.ts'
import { readBreakerSpend } from './read-breaker-spend.sql.ts'
import { recountBreakers } from './recount-breakers.sql.ts'
import { updateBreaker } from './update-breaker.sql.ts'

export function createBreakerBook(pool: Pool, nowMs: () => number): BreakerBook {
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
