import { type Actor, platformChain } from '#domain/audit/audit-entry.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { AuditArchive } from '#ports/audit.ts'

// A catalogue changes some times a week.
const entriesMax = 1_000

// The clocks of the database and of who imports may differ.
const clocksDifferMs = 3_600_000

/** Who changed prices since a time, by the millisecond of the change. The ID of an audit entry has the same time. */
export async function priceAuthors(
  archive: Pick<AuditArchive, 'list'>,
  fromMs: number,
): Promise<ReadonlyMap<number, string>> {
  const filter = {
    chainId: platformChain,
    action: 'catalogue.',
    actorId: null,
    actor: null,
    target: null,
    fromMs: fromMs - clocksDifferMs,
    toMs: null,
  }
  const entries = await archive.list({ ...filter, before: null, limit: entriesMax })
  return new Map(entries.map(({ id, actor }) => [uuidTimeMs(id), authorWords(actor)]))
}

function authorWords({ kind, id, name }: Actor): string {
  return name ?? (id === null ? kind : `${kind} ${id}`)
}
