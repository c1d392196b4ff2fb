import type { EvidenceListing } from '#ports/evidence-book.ts'

/** What is known of a blocked prompt beside its text. */
export function describeEvidence(listing: EvidenceListing) {
  return {
    id: listing.id,
    at: new Date(listing.atMs).toISOString(),
    keptUntil: new Date(listing.expiresAtMs).toISOString(),
    key: listing.keyId,
    user: listing.userId,
    organization: listing.organizationId,
    session: listing.sessionId,
    request: listing.requestId,
    endpoint: listing.endpoint,
    model: listing.model,
    source: listing.source,
    categories: [...listing.categories],
  }
}
