import type { EvidenceListing } from '#ports/evidence-book.ts'

export const evidenceColumns =
  'id, at, expires_at, key_id, user_id, organization_id, session_id, request_id, endpoint, model, source, categories'

export interface EvidenceRow {
  id: string
  at: Date
  expires_at: Date
  key_id: string
  user_id: string | null
  organization_id: string | null
  session_id: string | null
  request_id: string | null
  endpoint: string
  model: string
  source: EvidenceListing['source']
  categories: string[]
}

export function readListing(row: EvidenceRow): EvidenceListing {
  const { id, endpoint, model, source, categories } = row
  return {
    id,
    atMs: row.at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    keyId: row.key_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    sessionId: row.session_id,
    requestId: row.request_id,
    endpoint,
    model,
    source,
    categories,
  }
}
