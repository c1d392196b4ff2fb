import type { Pool } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { BatchLane } from '#lib/batch-lane.ts'
import type { AuditTrail } from '#ports/audit.ts'
import { isDataFault } from '../is-data-fault.ts'
import { persistently } from '../persistently.ts'
import { appendAudit } from './audit.sql.ts'

export interface AuditTrailLane extends AuditTrail {
  /** Resolves once everything appended so far is in the log, or was given up. */
  idle(): Promise<void>
}

/** Entries that come together are one statement: a chain has one head, and every statement must lock it. */
export function createAuditTrail(pool: Pool): AuditTrailLane {
  const lane = new BatchLane<AuditEntry, true>({
    async send(entries) {
      await persistently(() => appendAudit(pool, entries, Date.now()))
      return entries.map(() => true as const)
    },
    batchMax: 200,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many audit entries are waiting'),
    isItemsFault: isDataFault,
  })
  return {
    append: async (entry) => {
      await lane.add(entry)
    },
    idle: () => lane.idle(),
  }
}
