import type { Pool } from 'pg'
import type { Sealed } from '#lib/seal.ts'
import type { EvidenceListing } from '#ports/evidence-book.ts'

const text = `INSERT INTO moderation_evidence (id, at, expires_at, key_id, user_id, organization_id, session_id, request_id,
    endpoint, model, source, categories, content)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

export async function insertEvidence(pool: Pool, evidence: EvidenceListing, content: Sealed): Promise<void> {
  await pool.query(text, [
    evidence.id,
    new Date(evidence.atMs),
    new Date(evidence.expiresAtMs),
    evidence.keyId,
    evidence.userId,
    evidence.organizationId,
    evidence.sessionId,
    evidence.requestId,
    evidence.endpoint,
    evidence.model,
    evidence.source,
    evidence.categories,
    JSON.stringify(content),
  ])
}
