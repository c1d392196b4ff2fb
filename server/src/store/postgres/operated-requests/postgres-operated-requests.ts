import type { Pool } from 'pg'
import type { OperatedRequests } from '#ports/operated-requests.ts'
import { refuseWhenAway } from '../faults.ts'
import { walkBack } from '../generations/walk-back.ts'
import { listTransfersOf } from '../ledger/list-transfers.sql.ts'
import { listFailures } from './list-failures.sql.ts'
import { findKeyWallet, lookAtRequests, readFirstRequestDay } from './look-at-requests.sql.ts'

// About 40 ms of Postgres' time if nothing matches.
const lookMaxDefault = 10_000

/** Requests of all customers, from Postgres. */
export function createOperatedRequests(pool: Pool, lookMax = lookMaxDefault): OperatedRequests {
  return {
    list: ({ filter, before, limit, nowMs }) =>
      refuseWhenAway(
        walkBack({
          before,
          limit,
          nowMs,
          lookMax,
          fromMs: filter.fromMs,
          toMs: filter.toMs,
          look: (range) => lookAtRequests(pool, { filter, ...range }),
          readFirstDay: () => readFirstRequestDay(pool),
        }),
      ),
    findWallet: (keyId) => refuseWhenAway(findKeyWallet(pool, keyId)),
    listFailures: (query) => refuseWhenAway(listFailures(pool, query)),
    listTransfers: (request) => refuseWhenAway(listTransfersOf(pool, request)),
  }
}
