import type { Pool } from 'pg'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { Excerpt } from '#domain/moderation/excerpt.ts'
import { seal, type SealingKey, unseal } from '#lib/seal.ts'
import type { EvidenceBook } from '#ports/evidence-book.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { evidenceAssociated } from './evidence-associated.ts'
import { findEvidence } from './find-evidence.sql.ts'
import { insertEvidence } from './insert-evidence.sql.ts'
import { listEvidence } from './list-evidence.sql.ts'
import { purgeEvidence } from './purge-evidence.sql.ts'

/** The text is sealed with the row's id beside it, so that a sealed text can not be moved to another row. */
export function createEvidenceBook(pool: Pool, sealingKey: SealingKey): EvidenceBook {
  return {
    keep: async ({ content, ...listing }) =>
      insertEvidence(pool, listing, seal(sealingKey, JSON.stringify(content), evidenceAssociated(listing.id))),
    list: (query) => listEvidence(pool, query),
    open: (id, viewer, nowMs) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        const found = await findEvidence(client, id)
        if (found === null) return null
        const content: Excerpt = JSON.parse(unseal(sealingKey, found.sealed, evidenceAssociated(id)))
        const target = { kind: 'evidence', id }
        await appendAudit(client, [{ ...viewer, chainId: platformChain, action: 'evidence.show', target }], nowMs)
        return { ...found.listing, content }
      }),
    purge: (atMost) => purgeEvidence(pool, atMost),
  }
}
