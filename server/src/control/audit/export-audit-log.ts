import type { Uuid } from '#lib/uuid.ts'
import type { AuditArchive, AuditFilter, AuditRecord } from '#ports/audit.ts'

const batchSize = 500

/**
 * Reads a whole log in batches, newest first. Each batch is a separate short read: entries never change and new ones
 * are added before the first, so the batches together are the log at the time of the first read.
 */
export async function* exportAuditLog(
  archive: Pick<AuditArchive, 'list'>,
  query: AuditFilter & { chainId: Uuid },
): AsyncGenerator<readonly AuditRecord[]> {
  let before: bigint | null = null
  for (;;) {
    const records: AuditRecord[] = await archive.list({ ...query, before, limit: batchSize })
    if (records.length > 0) yield records
    before = records.at(-1)?.sequence ?? null
    if (before === null || records.length < batchSize) return
  }
}
