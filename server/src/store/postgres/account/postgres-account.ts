import type { Pool } from 'pg'
import type { AccountReads, GenerationArchive } from '#ports/account.ts'
import { findGeneration } from './find-generation.sql.ts'
import { findLapsedHold } from './find-lapsed-hold.sql.ts'
import { readKeyUse } from './read-key-use.sql.ts'
import { readWalletTotals } from './read-wallet-totals.sql.ts'
import { refuseWhenAway } from './refuse-when-away.ts'

/** What accounts read about themselves, from Postgres. */
export function createPostgresAccount(pool: Pool): { account: AccountReads; generations: GenerationArchive } {
  return {
    account: {
      readKeyUse: (query) => refuseWhenAway(readKeyUse(pool, query)),
      readWalletTotals: (walletId) => refuseWhenAway(readWalletTotals(pool, walletId)),
    },
    generations: {
      find: (scope, id) => refuseWhenAway(findGeneration(pool, scope, id)),
      findLapsed: (scope, id) => refuseWhenAway(findLapsedHold(pool, scope, id)),
    },
  }
}
