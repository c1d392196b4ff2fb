import type { Pool } from 'pg'
import type { GenerationLists } from '#ports/account-reads.ts'
import { refuseWhenAway } from '../faults.ts'
import { lookAtGenerations, readFirstDay } from './look-at-generations.sql.ts'
import { walkBack } from './walk-back.ts'

// About 40 ms of Postgres' time if nothing matches.
const lookMaxDefault = 10_000

/** Lists from Postgres. */
export function createGenerationLists(pool: Pool, lookMax = lookMaxDefault): GenerationLists {
  return {
    list: ({ scope, filter, before, limit, nowMs }) =>
      refuseWhenAway(
        walkBack({
          before,
          limit,
          nowMs,
          lookMax,
          fromMs: filter.fromMs,
          toMs: filter.toMs,
          look: (range) => lookAtGenerations(pool, { scope, filter, ...range }),
          readFirstDay: () => readFirstDay(pool, scope.walletId),
        }),
      ),
  }
}
