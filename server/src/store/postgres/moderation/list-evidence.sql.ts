import type { Pool } from 'pg'
import type { EvidenceListing, EvidenceQuery } from '#ports/evidence-book.ts'
import { evidenceColumns, type EvidenceRow, readListing } from './evidence-row.ts'

// Ids are made in the order of time. What has expired is no longer shown, even before it is deleted.
const text = `SELECT ${evidenceColumns} FROM moderation_evidence
  WHERE expires_at > now() AND ($1::uuid IS NULL OR key_id = $1) ORDER BY id DESC LIMIT $2`

export async function listEvidence(pool: Pool, { keyId, limit }: EvidenceQuery): Promise<EvidenceListing[]> {
  const { rows } = await pool.query<EvidenceRow>(text, [keyId, limit])
  return rows.map(readListing)
}
