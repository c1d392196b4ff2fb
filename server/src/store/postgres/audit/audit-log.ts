import type { Pool } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { Batcher } from '#lib/batcher.ts'
import type { AuditArchive, AuditChains, AuditTrail } from '#ports/audit.ts'
import { isDataFault, persistently, refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { appendAudit, listChains, listEntries, readChain, readHead } from './audit.sql.ts'

export interface BatchedAuditTrail extends AuditTrail {
  /** Resolves once everything appended so far is in the log or has permanently failed. */
  idle(): Promise<void>
}

/** Concurrent entries share one statement: a chain has one head, and every statement must lock it. */
export function createAuditTrail(pool: Pool): BatchedAuditTrail {
  const batcher = new Batcher<AuditEntry, true>({
    async send(entries) {
      await persistently(() => appendAudit(pool, entries, Date.now()))
      return entries.map(() => true as const)
    },
    batchMax: 200,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many audit entries are queued'),
    isItemsFault: isDataFault,
  })
  return {
    append: async (entry) => {
      await batcher.add(entry)
    },
    idle: () => batcher.idle(),
  }
}

export function createAuditArchive(pool: Pool): AuditArchive {
  return {
    list: (query) => refuseWhenAway(listEntries(pool, query)),
    readChain: (query) =>
      refuseWhenAway(
        readChainsAtOnce(pool, async (chains) => ({
          entries: await chains.readEntries(query),
          head: await chains.readHead(query.chainId),
        })),
      ),
  }
}

/** Reads everything in one snapshot, so that a log can be verified while it grows. */
export function readChainsAtOnce<Result>(pool: Pool, read: (chains: AuditChains) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', (client) =>
    read({
      list: () => listChains(client),
      readHead: (chainId) => readHead(client, chainId),
      readEntries: (query) => readChain(client, query),
    }),
  )
}
