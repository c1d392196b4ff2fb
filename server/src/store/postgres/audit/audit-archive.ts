import type { Pool } from 'pg'
import type { AuditArchive, AuditChains } from '#ports/audit.ts'
import { inTransaction } from '../in-transaction.ts'
import { refuseWhenAway } from '../refuse-when-away.ts'
import { listChains, listEntries, readChain, readHead } from './audit.sql.ts'

export function createAuditArchive(pool: Pool): AuditArchive {
  return { list: (query) => refuseWhenAway(listEntries(pool, query)) }
}

/** Everything as of one moment, so that a log can be checked while it grows. */
export function readChainsAtOnce<Result>(pool: Pool, read: (chains: AuditChains) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', (client) =>
    read({
      list: () => listChains(client),
      readHead: (chainId) => readHead(client, chainId),
      readEntries: (query) => readChain(client, query),
    }),
  )
}
