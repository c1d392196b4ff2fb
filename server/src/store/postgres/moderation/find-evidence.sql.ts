import type { PoolClient } from 'pg'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { EvidenceListing } from '#ports/evidence-book.ts'
import { evidenceColumns, type EvidenceRow, readListing } from './evidence-row.ts'

const text = `SELECT ${evidenceColumns}, content FROM moderation_evidence WHERE expires_at > now() AND id = $1`

export async function findEvidence(
  client: PoolClient,
  id: Uuid,
): Promise<{ listing: EvidenceListing; sealed: Sealed } | null> {
  const { rows } = await client.query<EvidenceRow & { content: Sealed }>(text, [id])
  const [row] = rows
  return row === undefined ? null : { listing: readListing(row), sealed: row.content }
}
