import type { Pool } from 'pg'
import type { UsageSubjects } from '#ports/usage-subjects.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { readKeyNames } from './read-key-names.sql.ts'
import { readWalletFacts } from './read-wallet-facts.sql.ts'

/** Wallets and names of keys in Postgres. */
export function createPostgresUsageSubjects(pool: Pool): UsageSubjects {
  return {
    readWallet: (walletId) => refuseWhenAway(readWalletFacts(pool, walletId)),
    readKeyNames: (query) => refuseWhenAway(readKeyNames(pool, query)),
  }
}
